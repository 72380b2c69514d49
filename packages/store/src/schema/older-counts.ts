import type { Traffic } from '@broadsheet/core';
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import type { Layout } from './schema.ts';

type Count = Tables['counts'];

/** The counts of an ad on a day, as the first version stored them; all traffic counts in `impressions`. */
interface AdCount {
  readonly ad_id: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly viewable: number;
  readonly unknown_impressions: number;
  readonly bot_impressions: number;
  readonly prefetch_impressions: number;
  readonly foreign_impressions: number;
  readonly burst_impressions: number;
}

/** The counts of an ad in a placement on a day; `ad_id` is empty for slots that stayed empty. */
interface PlacementCount {
  readonly ad_id: string;
  readonly placement: string;
  readonly slots: number;
  readonly excluded: number;
  readonly viewable: number;
  readonly clicks: number;
}

const EXCLUDED = ['unknown', 'bot', 'prefetch', 'foreign', 'burst'] as const satisfies readonly Traffic[];

/**
 * The first version counted each impression in a table of ads, of placements and of campaigns. The rows of the table that
 * replaced them have the same sums by day, ad and traffic, and by day, ad and placement. The campaign is the one that the
 * ad has now, on days on which that campaign counted something.
 */
export async function* readOlderCounts(db: Db, layout: Layout): AsyncGenerator<readonly Count[]> {
  if (!layout.has('ad_counts') || !layout.has('placement_counts')) return;
  const days = await db<{ blog_id: string; day: string }>`
    select blog_id, day from ad_counts union select blog_id, day from placement_counts order by blog_id, day`;
  for (const { blog_id, day } of days) {
    const ads = await db<AdCount>`select * from ad_counts where blog_id = ${blog_id} and day = ${day}`;
    const placements = await db<PlacementCount>`
      select * from placement_counts where blog_id = ${blog_id} and day = ${day}`;
    const sold = await db<{ id: string; campaign_id: string }>`select ads.id, ads.campaign_id from ads
      join campaign_counts on campaign_counts.blog_id = ads.blog_id and campaign_counts.campaign_id = ads.campaign_id
      where ads.blog_id = ${blog_id} and campaign_counts.day = ${day}`;
    const campaigns = new Map(sold.map(({ id, campaign_id }) => [id, campaign_id]));
    const ofAd = Map.groupBy(placements, ({ ad_id }) => ad_id);
    const totals = new Map(ads.map((ad) => [ad.ad_id, ad]));
    const ids = new Set([...ofAd.keys(), ...totals.keys()]);
    yield [...ids].flatMap((ad_id) => {
      const base = { blog_id, day, ad_id, campaign_id: campaigns.get(ad_id) ?? '' };
      return countsOf(totals.get(ad_id), ofAd.get(ad_id) ?? []).map((count) => ({ ...base, ...count }));
    });
  }
}

type CountOfAd = Omit<Count, 'blog_id' | 'day' | 'ad_id' | 'campaign_id'>;

/** The counts of an ad by placement and traffic. What is in no placement is from single deliveries. */
function countsOf(total: AdCount | undefined, placements: readonly PlacementCount[]): CountOfAd[] {
  const rest = new Map<Traffic, number>(EXCLUDED.map((traffic) => [traffic, total?.[`${traffic}_impressions`] ?? 0]));
  const rows: CountOfAd[] = [];
  const add = (placement: string, traffic: Traffic, delivered: number, seen = { viewable: 0, clicks: 0 }) => {
    const { viewable, clicks } = seen;
    if (delivered + viewable + clicks > 0) rows.push({ placement, traffic, delivered, viewable, clicks });
  };
  let valid = (total?.impressions ?? 0) - sum([...rest.values()]);
  for (const count of placements) {
    const { placement, slots, excluded } = count;
    add(placement, 'valid', slots - excluded, count);
    valid -= slots - excluded;
    // Each reason is used up before the next one: the table of placements did not say which it was.
    let open = excluded;
    for (const [traffic, left] of rest) {
      const taken = Math.min(left, open);
      add(placement, traffic, taken);
      rest.set(traffic, left - taken);
      open -= taken;
    }
    add(placement, 'unknown', open);
  }
  for (const [traffic, left] of rest) add('', traffic, left);
  const seenElsewhere = (what: 'viewable' | 'clicks') =>
    Math.max(0, (total?.[what] ?? 0) - sum(placements.map((count) => count[what])));
  add('', 'valid', Math.max(0, valid), { viewable: seenElsewhere('viewable'), clicks: seenElsewhere('clicks') });
  return merged(rows);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The same counts with one row for each placement and traffic. */
function merged(rows: readonly CountOfAd[]): CountOfAd[] {
  const groups = Map.groupBy(rows, ({ placement, traffic }) => JSON.stringify([placement, traffic]));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((row) => ({
      ...row,
      delivered: sum(group.map(({ delivered }) => delivered)),
      viewable: sum(group.map(({ viewable }) => viewable)),
      clicks: sum(group.map(({ clicks }) => clicks)),
    })),
  );
}
