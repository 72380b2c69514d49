import type { Click, ClickOutcome } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { codeUnitOrder } from '../code-unit-order.ts';
import type { Tables } from '../tables.ts';

/** Impressions of one request. */
export interface Impressions {
  readonly blogId: string;
  readonly adIds: readonly string[];
  readonly at: number;
}

/** The day (UTC) under which something is counted. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const DAY = 24 * 60 * 60 * 1000;

/** Rows of one statement; databases bound the number of parameters. */
const ROWS = 1000;

/** Adds up impressions and counts them, in a transaction. */
export async function writeImpressions(db: Kysely<Tables>, items: readonly Impressions[]): Promise<void> {
  const rows = addUp(items);
  for (let start = 0; start < rows.length; start += ROWS) {
    await db
      .insertInto('ad_counts')
      .values(rows.slice(start, start + ROWS))
      .onConflict((conflict) =>
        conflict.columns(['blog_id', 'day', 'ad_id']).doUpdateSet({
          impressions: sql`ad_counts.impressions + excluded.impressions`,
        }),
      )
      .execute();
  }
}

type Count = Tables['ad_counts'];

/**
 * One row for each ad and day, in one order for everybody: two processes that count the same ads wait for each other
 * and never in a circle.
 */
function addUp(items: readonly Impressions[]): Count[] {
  const blogs = new Map<string, Map<string, Count>>();
  const days = new Map<number, string>();
  for (const { blogId, adIds, at } of items) {
    const day = getOrAdd(days, Math.floor(at / DAY), () => dayOf(at));
    // A day has ten characters, whatever the blog is called.
    const ads = getOrAdd(blogs, day + blogId, () => new Map<string, Count>());
    for (const adId of adIds) {
      const count = () => ({ blog_id: blogId, day, ad_id: adId, impressions: 0, clicks: 0 });
      getOrAdd(ads, adId, count).impressions += 1;
    }
  }
  const rows = [...blogs.values()].flatMap((ads) => [...ads.values()]);
  return rows.sort(
    (a, b) => codeUnitOrder(a.blog_id, b.blog_id) || codeUnitOrder(a.day, b.day) || codeUnitOrder(a.ad_id, b.ad_id),
  );
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/**
 * Uses a token up and counts its click unless it repeats one, in a transaction. Each step is a conditional write
 * whose effect tells what was there, so that no moment lies between looking and writing.
 */
export async function writeClick(db: Kysely<Tables>, blogId: string, click: Click): Promise<ClickOutcome> {
  const used = await db
    .insertInto('used_tokens')
    .values({ blog_id: blogId, token_id: click.tokenId, expires_at: click.tokenExpiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_id')
    .execute();
  if (used.length === 0) return 'used';
  if (click.visitor !== undefined) {
    const counted = await db
      .insertInto('counted_clicks')
      .values({ blog_id: blogId, ad_id: click.adId, visitor: click.visitor, at: click.at })
      .onConflict((conflict) =>
        conflict
          .columns(['blog_id', 'ad_id', 'visitor'])
          .doUpdateSet({ at: click.at })
          .where('counted_clicks.at', '<', click.repeatSince),
      )
      .returning('at')
      .execute();
    if (counted.length === 0) return 'repeated';
  }
  await db
    .insertInto('ad_counts')
    .values({ blog_id: blogId, day: dayOf(click.at), ad_id: click.adId, impressions: 0, clicks: 1 })
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'day', 'ad_id']).doUpdateSet({ clicks: sql`ad_counts.clicks + 1` }),
    )
    .execute();
  return 'counted';
}

/** How long the last counted click of a visitor is kept, in milliseconds: longer than any window of repetition. */
const CLICKS_KEPT = DAY;

/** How long past its expiry a token is remembered: clocks of several processes differ. */
const TOKENS_KEPT = 60 * 60 * 1000;

/** Forgets tokens that have expired and clicks that no new one can repeat. */
export async function pruneEvents(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('used_tokens')
    .where('expires_at', '<', now - TOKENS_KEPT)
    .execute();
  await db
    .deleteFrom('counted_clicks')
    .where('at', '<', now - CLICKS_KEPT)
    .execute();
}
