import { EXCLUDED } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Days as `YYYY-MM-DD`, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** The counts to add up. */
export interface SumsQuery {
  /** The days in question, and the earlier days with which they are compared. */
  readonly days: Days;
  readonly before: Days;
  /** Only the counts of this ad or this placement. */
  readonly adId?: string | undefined;
  readonly placement?: string | undefined;
}

/** How many of the counted impressions were excluded or viewable; see `DayCount`. */
interface Seen {
  readonly excluded: number;
  readonly viewable: number;
}

/** Impressions and clicks of ads. */
export interface AdSums extends Seen {
  readonly impressions: number;
  readonly clicks: number;
}

/** Requested slots with a placement, how many of them were filled, and the clicks on their ads. */
export interface PlacementSums extends Seen {
  readonly requests: number;
  readonly filled: number;
  readonly clicks: number;
}

/** Whether something was counted on the days in question, or on those before. */
interface InTime {
  readonly current: boolean;
}

/** Sums of counts; there is no entry where nothing was counted. */
export interface Sums {
  readonly adsByDay: readonly (AdSums & { readonly day: string })[];
  readonly byAd: readonly (AdSums & InTime & { readonly adId: string })[];
  readonly placementsByDay: readonly (PlacementSums & { readonly day: string })[];
  readonly byPlacement: readonly (PlacementSums & InTime & { readonly placement: string })[];
}

const EXCLUDED_IMPRESSIONS = sql<number>`${sql.join(
  EXCLUDED.map((reason) => sql.ref(`${reason}_impressions`)),
  sql` + `,
)}`;

/** Adds up counts in the database, because a year has many rows but few sums. */
export async function readSums(
  db: Kysely<Tables>,
  blogId: string,
  { days, before, adId, placement }: SumsQuery,
): Promise<Sums> {
  const current = sql<number>`case when day >= ${days.from} then 1 else 0 end`;
  const within = <T extends 'ad_counts' | 'placement_counts'>(table: T) => {
    const range = (from: string, to: string) => sql<boolean>`day between ${from} and ${to}`;
    const either = sql`${range(days.from, days.to)} or ${range(before.from, before.to)}`;
    // The index is read from the first day to the last; days between the two ranges are filtered out.
    return sql<boolean>`${sql.ref(`${table}.blog_id`)} = ${blogId} and ${range(before.from, days.to)} and (${either})`;
  };
  const slots = db
    .selectFrom('placement_counts')
    .where(within('placement_counts'))
    .$if(adId !== undefined, (query) => query.where('ad_id', '=', adId ?? ''))
    .$if(placement !== undefined, (query) => query.where('placement', '=', placement ?? ''));
  const adCounts =
    placement === undefined
      ? db
          .selectFrom('ad_counts')
          .where(within('ad_counts'))
          .$if(adId !== undefined, (query) => query.where('ad_id', '=', adId ?? ''))
          .select(['day', 'ad_id', 'impressions', EXCLUDED_IMPRESSIONS.as('excluded'), 'viewable', 'clicks'])
          .as('adCounts')
      : slots
          .where('ad_id', '<>', '')
          .select(['day', 'ad_id', 'slots as impressions', 'excluded', 'viewable', 'clicks'])
          .as('adCounts');
  const earnings = db
    .selectFrom(adCounts)
    .select((['impressions', 'excluded', 'viewable', 'clicks'] as const).map((name) => sum(sql.ref(name)).as(name)));
  // The rows of a day and a placement are adjacent in the index: one scan, and no sorting.
  const requests = await slots
    .select(['day', 'placement'])
    .select([
      sum(sql.ref('slots')).as('requests'),
      sum(sql`case when ad_id = '' then 0 else slots end`).as('filled'),
      ...(['excluded', 'viewable', 'clicks'] as const).map((name) => sum(sql.ref(name)).as(name)),
    ])
    .groupBy(['day', 'placement'])
    .execute();
  const adsByDay = await earnings.select('day').groupBy('day').execute();
  const byAd = await earnings
    .select(['ad_id', current.as('current')])
    .groupBy(['ad_id', 'current'])
    .execute();
  return {
    adsByDay,
    byAd: byAd.map(({ ad_id, ...row }) => ({ ...row, adId: ad_id, current: row.current === 1 })),
    placementsByDay: [...Map.groupBy(requests, ({ day }) => day)].map(([day, rows]) => ({ day, ...total(rows) })),
    byPlacement: placementSums(requests, days.from),
  };
}

/** The sums of each placement before a day, and from then on. */
function placementSums(
  requests: readonly (PlacementSums & Pick<Tables['placement_counts'], 'day' | 'placement'>)[],
  from: string,
): Sums['byPlacement'] {
  return [true, false].flatMap((current) => {
    const rows = requests.filter(({ day }) => day >= from === current);
    return [...Map.groupBy(rows, (row) => row.placement)].map(([placement, own]) => {
      return { placement, current, ...total(own) };
    });
  });
}

function total(rows: readonly PlacementSums[]): PlacementSums {
  const of = (name: keyof PlacementSums) => rows.reduce((all, row) => all + row[name], 0);
  return {
    requests: of('requests'),
    filled: of('filled'),
    excluded: of('excluded'),
    viewable: of('viewable'),
    clicks: of('clicks'),
  };
}

/** In PostgreSQL, the sum of bigints is a decimal number, which the driver would return as a string. */
const sum = (of: ReturnType<typeof sql>) => sql<number>`cast(sum(${of}) as bigint)`;
