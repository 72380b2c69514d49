import { blog, orNotFound } from '../../../lib/blog';
import { PostList } from '../../../lib/post-list';

export default async function Category({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  const [category, posts] = await Promise.all([
    orNotFound(blog.categories.get(id)),
    orNotFound(blog.categories.posts(id, { pageSize: 50 })),
  ]);
  return (
    <>
      <h1>{category.name}</h1>
      <PostList posts={posts.items} />
    </>
  );
}
