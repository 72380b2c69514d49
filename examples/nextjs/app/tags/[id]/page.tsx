import { blog, orNotFound } from '../../../lib/blog';
import { PostList } from '../../../lib/post-list';

export default async function Tag({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  const [tag, posts] = await Promise.all([
    orNotFound(blog.tags.get(id)),
    orNotFound(blog.tags.posts(id, { pageSize: 50 })),
  ]);
  return (
    <>
      <h1>{tag.name}</h1>
      <PostList posts={posts.items} />
    </>
  );
}
