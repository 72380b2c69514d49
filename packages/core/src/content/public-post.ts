import type { Post, SnapshotPost } from '@broadsheet/contract';

/** What a post as it was written does not say of itself. */
type PostContext = Pick<Post, 'blogId' | 'createdAt' | 'updatedAt' | 'categories' | 'tags'>;

/** A post as readers get it: its categories and tags are embedded, and its cover is for searches alone (api.md 2). */
export function publicPost(post: SnapshotPost, context: PostContext): Post {
  const { id, title, subtitle, content, slug, status, publishedAt, scheduledAt, authorId } = post;
  return { id, title, subtitle, content, slug, status, publishedAt, scheduledAt, authorId, ...context };
}
