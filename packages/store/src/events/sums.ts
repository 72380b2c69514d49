import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Days (UTC) as `YYYY-MM-DD`, both included. */
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

/** Impressions and clicks of ads. */
export interface Earned {
  readonly impressions: number;
  readonly clicks: number;
}

/** Requested slots with a placement, how many of them were filled, and the clicks on their ads. */
export interface Asked {
  readonly asked: number;
  readonly filled: number;
  readonly clicks: number;
}

/** Whether something was counted on the days in question, or on those before. */
interface InTime {
  readonly current: boolean;
}

/** Sums of counts; there is no entry where nothing was counted. */
export interface Sums {
  readonly earnedByDay: readonly (Earned & { readonly day: string })[];
  readonly earnedByAd: readonly (Earned & InTime & { readonly adId: string })[];
  readonly askedByDay: readonly (Asked & { readonly day: string })[];
  readonly askedByPlacement: readonly (Asked & InTime & { readonly placement: string })[];
}

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
  const earned =
    placement === undefined
      ? db
          .selectFrom('ad_counts')
          .where(within('ad_counts'))
          .$if(adId !== undefined, (query) => query.where('ad_id', '=', adId ?? ''))
          .select(['day', 'ad_id', 'impressions', 'clicks'])
          .as('earned')
      : slots.where('ad_id', '<>', '').select(['day', 'ad_id', 'slots as impressions', 'clicks']).as('earned');
  const earnings = db
    .selectFrom(earned)
    .select([sum(sql.ref('impressions')).as('impressions'), sum(sql.ref('clicks')).as('clicks')]);
  // The rows of a day and a placement are adjacent in the index: one scan, and no sorting.
  const asked = await slots
    .select(['day', 'placement'])
    .select([
      sum(sql.ref('slots')).as('asked'),
      sum(sql`case when ad_id = '' then 0 else slots end`).as('filled'),
      sum(sql.ref('clicks')).as('clicks'),
    ])
    .groupBy(['day', 'placement'])
    .execute();
  const earnedByDay = await earnings.select('day').groupBy('day').execute();
  const earnedByAd = await earnings
    .select(['ad_id', current.as('current')])
    .groupBy(['ad_id', 'current'])
    .execute();
  return {
    earnedByDay,
    earnedByAd: earnedByAd.map(({ ad_id, ...row }) => ({ ...row, adId: ad_id, current: row.current === 1 })),
    askedByDay: [...Map.groupBy(asked, ({ day }) => day)].map(([day, rows]) => ({ day, ...total(rows) })),
    askedByPlacement: [true, false].flatMap((isCurrent) => {
      const rows = asked.filter(({ day }) => day >= days.from === isCurrent);
      return [...Map.groupBy(rows, (row) => row.placement)].map(([name, own]) => ({
        placement: name,
        current: isCurrent,
        ...total(own),
      }));
    }),
  };
}

function total(rows: readonly Asked[]): Asked {
  const of = (name: keyof Asked) => rows.reduce((all, row) => all + row[name], 0);
  return { asked: of('asked'), filled: of('filled'), clicks: of('clicks') };
}

/** In PostgreSQL, the sum of bigints is a decimal number, which the driver would return as a string. */
const sum = (of: ReturnType<typeof sql>) => sql<number>`cast(sum(${of}) as bigint)`;
