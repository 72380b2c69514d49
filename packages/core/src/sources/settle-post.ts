import type { SnapshotBlogInput, SourcePostInput } from '@broadsheet/contract';
import { fromLocalTime } from '../ads/day.ts';

/** What a source does not know: the time of the import, and the time zone of the blog. */
export interface BlogClock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A name of the IANA database; UTC by default. */
  readonly timeZone?: string | undefined;
}

export type SettledPost = NonNullable<SnapshotBlogInput['posts']>[number];

/** A post of a source with timestamps and with the status that it has at the time of the import. */
export function settlePost(
  { file, releaseAt, expiresAt, ...post }: SourcePostInput,
  { now, timeZone }: BlogClock,
): SettledPost {
  const utc = (time: string) => inUtc(time, timeZone);
  const { status = 'PUBLISHED' } = post;
  const settled = {
    ...post,
    ...(post.publishedAt && { publishedAt: utc(post.publishedAt) }),
    ...(post.scheduledAt && { scheduledAt: utc(post.scheduledAt) }),
    ...(post.updatedAt !== undefined && { updatedAt: utc(post.updatedAt) }),
  };
  const isAhead = (time: string) => Date.parse(time) > now;
  const release = releaseAt === undefined ? undefined : utc(releaseAt);
  const plan = settled.scheduledAt ?? (release !== undefined && isAhead(release) ? release : null);
  if (status === 'DRAFT' || (expiresAt !== undefined && !isAhead(utc(expiresAt)))) {
    // The date of a draft is only a plan: the post was not published then.
    return file ? { ...settled, status: 'DRAFT', publishedAt: null, scheduledAt: plan } : settled;
  }
  // A snapshot says what is stored, and its posts have no files.
  if (!file || status !== 'PUBLISHED') return settled;
  const due = plan ?? (settled.publishedAt && isAhead(settled.publishedAt) ? settled.publishedAt : null);
  return due === null ? settled : { ...settled, status: 'SCHEDULED', publishedAt: null, scheduledAt: due };
}

/** A time of a source as a timestamp. Any other text is returned unchanged, and refused by the rules of posts. */
function inUtc(time: string, timeZone: string | undefined): string {
  const isLocal = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(time);
  if (!isLocal || Number.isNaN(Date.parse(`${time}Z`))) return time;
  const timestamp = new Date(fromLocalTime(time, timeZone)).toISOString();
  // In UTC, the last hours of 9999 may be in the year 10000.
  return /^\d{4}-/.test(timestamp) ? timestamp : `${time}Z`;
}
