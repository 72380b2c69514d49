import { OwnAd } from '../lib/own-ad';
import { PostList } from '../lib/post-list';
import { readPosts } from '../lib/reads';

export default async function Posts() {
  return (
    <>
      <h1>Posts</h1>
      <PostList posts={await readPosts()} />
      <OwnAd format="NATIVE" />
    </>
  );
}
