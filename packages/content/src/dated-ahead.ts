import type { SnapshotPost } from '@broadsheet/contract';

type Dated = Pick<SnapshotPost, 'status' | 'publishedAt' | 'scheduledAt'>;

/** Whether a post claims to be published at an instant that is still to come. */
export const isAhead = ({ status, publishedAt }: Pick<Dated, 'status' | 'publishedAt'>, now: number): boolean =>
  status === 'PUBLISHED' && publishedAt !== null && Date.parse(publishedAt) > now;

export const AHEAD = 'is dated ahead, and scheduled for then';

/** A post dated ahead is scheduled for its date: its author wrote it for that day. */
export function scheduleAhead<T extends Dated>(post: T, now: number): T {
  if (!isAhead(post, now)) return post;
  return { ...post, status: 'SCHEDULED', publishedAt: null, scheduledAt: post.publishedAt };
}

/** Notes on posts, each under the name it is known by; of many the first stand for all. */
export function manyNotes(names: readonly string[], what: string): string[] {
  const [first] = names;
  if (names.length <= MOST_NOTES) return names.map((name) => `${name} ${what}`);
  return [`${first} and ${names.length - 1} others: each ${what}`];
}

const MOST_NOTES = 20;
