import type { SnapshotPost } from '@broadsheet/contract';

type Dated = Pick<SnapshotPost, 'status' | 'publishedAt' | 'scheduledAt'>;

/** Whether a post is marked as published although its date is in the future. */
export const isAhead = ({ status, publishedAt }: Pick<Dated, 'status' | 'publishedAt'>, now: number): boolean =>
  status === 'PUBLISHED' && publishedAt !== null && Date.parse(publishedAt) > now;

export const AHEAD = 'is dated in the future and was scheduled for its date';

/** A post with a future date is scheduled for that date, as its author intended. */
export function scheduleAhead<T extends Dated>(post: T, now: number): T {
  if (!isAhead(post, now)) return post;
  return { ...post, status: 'SCHEDULED', publishedAt: null, scheduledAt: post.publishedAt };
}
