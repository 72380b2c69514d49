import { blog } from '../lib/blog';
import { PostList } from '../lib/post-list';

export default async function Posts() {
  const { items } = await blog.posts.list({ limit: 20 });
  return (
    <>
      <h1>Posts</h1>
      <PostList posts={items} />
    </>
  );
}
