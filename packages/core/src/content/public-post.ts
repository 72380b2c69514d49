import type { Post, SnapshotPost } from '@broadsheet/contract';

/** What a post as it was written does not say of itself. */
type PostContext = Pick<Post, 'blogId' | 'createdAt' | 'updatedAt' | 'categories' | 'tags'>;

/** A post as readers get it: its categories and tags are embedded, and its cover is for searches alone (api.md 2). */
export function publicPost(post: SnapshotPost, context: PostContext): Post {
  const { coverUrl: _, categoryIds: __, tagIds: ___, ...fields } = post;
  return { ...fields, ...context };
}
