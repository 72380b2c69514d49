import type { ViewableImpression } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { ADD_COUNTS, type EventDialect, Tally } from './counts.ts';
import type { DayPlacement, Placements } from './placements.ts';

/** A viewable impression to be counted. */
export interface BlogImpression {
  readonly blogId: string;
  readonly impression: ViewableImpression;
}

/** The placements of some impressions, on the days of their deliveries. */
export const placementsOf = (items: readonly BlogImpression[]): DayPlacement[] =>
  items.map(({ blogId: blog_id, impression: { placement = '', day } }) => ({ blog_id, day, placement }));

/**
 * Counts impressions as viewable, each token once, in a transaction; `placements` must have admitted those of
 * {@link placementsOf}.
 */
export async function writeViewable(
  db: Kysely<Tables>,
  items: readonly BlogImpression[],
  placements: Placements,
  { insert }: EventDialect,
): Promise<void> {
  const keyOf = (blogId: string, tokenId: string) => JSON.stringify([blogId, tokenId]);
  const all = new Map(items.map((item) => [keyOf(item.blogId, item.impression.tokenId), item]));
  const tokens = [...all.values()].map(({ blogId, impression: { tokenId, tokenExpiresAt } }) => {
    return { blog_id: blogId, token_id: tokenId, expires_at: tokenExpiresAt };
  });
  const fresh = await insert(db, 'viewed_tokens', tokens, 'do nothing returning blog_id, token_id');
  const tally = new Tally();
  for (const { blog_id = '', token_id = '' } of fresh) {
    const impression = all.get(keyOf(blog_id, token_id))?.impression;
    if (impression) tally.rowOf(blog_id, impression.day, impression).viewable += 1;
  }
  await insert(db, 'counts', tally.named(placements), ADD_COUNTS);
}
