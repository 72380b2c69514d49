import { type Click, type ClickOutcome, dayOf, type ViewableImpression } from '@broadsheet/core';
import sql from 'sql-template-tag';
import { updating } from '../sql.ts';
import { type EventWriter, Tally } from './counts.ts';
import { insertInto } from './dialect.ts';

/** A click to be counted. */
export interface BlogClick extends Click {
  readonly blogId: string;
}

/** The report of a beacon. */
export interface BlogBeacon {
  readonly blogId: string;
  readonly impressions: readonly ViewableImpression[];
}

/**
 * Marks the tokens of clicks as used and counts the clicks that are not repeats, in a transaction. Each step is a
 * conditional write whose result shows the earlier state, so that no check is separate from its write.
 */
export async function writeClicks(writer: EventWriter, clicks: readonly BlogClick[]): Promise<readonly ClickOutcome[]> {
  const fresh = await useTokens(writer, insertUsed, clicks);
  const counted = await countVisitors(writer, [...fresh]);
  const tally = new Tally();
  for (const click of counted) tally.add({ ...click, day: dayOf(click.at, click.timeZone) }, 'clicks');
  await tally.write(writer);
  return clicks.map((click) => (!fresh.has(click) ? 'used' : counted.has(click) ? 'counted' : 'repeated'));
}

/** Counts impressions as viewable, each token once, in a transaction. */
export async function writeViewable(
  writer: EventWriter,
  beacons: readonly BlogBeacon[],
): Promise<readonly undefined[]> {
  const items = beacons.flatMap(({ blogId, impressions }) => impressions.map((one) => ({ blogId, ...one })));
  const fresh = await useTokens(writer, insertViewed, items);
  const tally = new Tally();
  for (const impression of fresh) tally.add(impression, 'viewable');
  await tally.write(writer);
  return beacons.map(() => undefined);
}

interface Token {
  readonly blogId: string;
  readonly tokenId: string;
  readonly tokenExpiresAt: number;
}

const IF_NEW = sql`on conflict do nothing returning blog_id, token_id`;
const insertUsed = insertInto('used_tokens', IF_NEW);
const insertViewed = insertInto('viewed_tokens', IF_NEW);

/**
 * Stores the tokens of items, and returns the items whose tokens were not stored before. If there are duplicates, it
 * returns the first one.
 */
async function useTokens<Item extends Token>(
  writer: EventWriter,
  insertTokens: typeof insertUsed,
  items: readonly Item[],
): Promise<ReadonlySet<Item>> {
  const byKey = new Map(items.toReversed().map((item) => [keyOf(item.blogId, item.tokenId), item]));
  const rows = [...byKey.values()].map(({ blogId, tokenId, tokenExpiresAt }) => {
    return { blog_id: blogId, token_id: tokenId, expires_at: tokenExpiresAt };
  });
  const stored = await insertTokens(writer, rows);
  const fresh = new Set(stored.map(({ blog_id, token_id }) => byKey.get(keyOf(blog_id, token_id))));
  return new Set(items.filter((item) => fresh.has(item)));
}

/** The clicks that are not repeats. Their times are stored as the last counted clicks of their visitors. */
async function countVisitors(writer: EventWriter, clicks: readonly BlogClick[]): Promise<ReadonlySet<BlogClick>> {
  // A click without a visitor never counts as a repeat.
  const counted = new Set(clicks.filter(({ visitor }) => visitor === undefined));
  let left = clicks.filter(({ visitor }) => visitor !== undefined);
  while (left.length > 0) {
    // A statement writes at most one click of a visitor on an ad, and compares all clicks with one period. The first
    // statement locks the rows of all visitors, in the order in which every process does.
    const together = new Map<string, BlogClick>();
    const later: BlogClick[] = [];
    const period = periodOf(left[0]);
    for (const click of left) {
      const key = keyOf(click.blogId, click.adId, click.visitor);
      if (periodOf(click) !== period || together.has(key)) later.push(click);
      else together.set(key, click);
    }
    const rows = [...together.values()].map(({ blogId, adId, visitor = '', at }) => {
      return { blog_id: blogId, ad_id: adId, visitor, at };
    });
    const ifOld = sql`${updating('counted_clicks')}
      where counted_clicks.at < excluded.at - ${period} returning blog_id, ad_id, visitor`;
    for (const { blog_id, ad_id, visitor } of await insertInto('counted_clicks', ifOld)(writer, rows)) {
      const click = together.get(keyOf(blog_id, ad_id, visitor));
      if (click) counted.add(click);
    }
    left = later;
  }
  return counted;
}

/** Milliseconds within which a click repeats another one. */
const periodOf = (click: BlogClick | undefined): number => (click ? click.at - click.repeatSince : 0);

const keyOf = (...ids: readonly (string | undefined)[]): string => JSON.stringify(ids);
