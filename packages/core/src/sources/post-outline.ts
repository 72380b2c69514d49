import type { SourceFile, SourcePostInput } from '@broadsheet/contract';
import type { SlugClaim } from './decide-slugs.ts';
import { manyNotes } from './many-notes.ts';
import { type BlogClock, type SettledPost, settlePost } from './settle-post.ts';

/** A post of a source without its text, to be compared with the other posts. */
export interface PostOutline extends Pick<SettledPost, 'id' | 'slug' | 'title'> {
  readonly status: NonNullable<SettledPost['status']>;
  readonly isDated: boolean;
  readonly hasAuthor: boolean;
  readonly file?: SourceFile | undefined;
  /** Whether it is scheduled only because its date is in the future. */
  readonly isAhead: boolean;
  /** Whether it has a date on which it should disappear. */
  readonly expires: boolean;
}

export function outlineOf(post: SourcePostInput, clock: BlogClock): PostOutline {
  const { id, slug, title, status = 'PUBLISHED', publishedAt, authorId } = settlePost(post, clock);
  const { file, expiresAt, releaseAt } = post;
  const isAhead = status === 'SCHEDULED' && (post.status ?? 'PUBLISHED') === 'PUBLISHED' && releaseAt === undefined;
  return {
    ...{ id, slug, title, status, file, isAhead },
    ...{ isDated: Boolean(publishedAt), hasAuthor: Boolean(authorId), expires: expiresAt !== undefined },
  };
}

/** @param stored the slug that the blog stores for the post */
export const claimOf = ({ id, slug, status, file }: PostOutline, stored?: string): SlugClaim => ({
  ...{ id, slug, file, stored, isDraft: status === 'DRAFT' },
});

/** Notes on the posts whose dates are in the future. */
export function notesOnDates(posts: readonly PostOutline[]): string[] {
  const named = (group: readonly PostOutline[]) => group.map(({ id, file }) => file?.path ?? `post ${id}`);
  const expiring = posts.filter(({ status, expires }) => expires && status !== 'DRAFT');
  return [
    ...manyNotes(
      named(posts.filter(({ isAhead }) => isAhead)),
      'is dated in the future and was scheduled for its date',
    ),
    ...manyNotes(named(expiring), 'has a date on which it expires, but stays public after that; unpublish it then'),
  ];
}
