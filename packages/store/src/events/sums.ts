import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Days (UTC) as `YYYY-MM-DD`, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** What is to be added up. */
export interface SumsQuery {
  /** The days that are looked at, and earlier ones they are compared with. */
  readonly days: Days;
  readonly before: Days;
  /** Only what this ad earned, or what came by this placement. */
  readonly adId?: string | undefined;
  readonly placement?: string | undefined;
}

/** Impressions and clicks of ads. */
export interface Earned {
  readonly impressions: number;
  readonly clicks: number;
}

/** Slots with a name that asked for an ad, those of them that got one, and the clicks on these. */
export interface Asked {
  readonly asked: number;
  readonly filled: number;
  readonly clicks: number;
}

/** Whether something was counted on the days that are looked at, or on those before. */
interface InTime {
  readonly current: boolean;
}

/** What was counted, added up by the database; where nothing was, there is no entry. */
export interface Sums {
  readonly earnedByDay: readonly (Earned & { readonly day: string })[];
  readonly earnedByAd: readonly (Earned & InTime & { readonly adId: string })[];
  readonly askedByDay: readonly (Asked & { readonly day: string })[];
  readonly askedByPlacement: readonly (Asked & InTime & { readonly placement: string })[];
}

/** Adds up what was counted: the rows of a year are many, what is said of them is little. */
export async function readSums(
  db: Kysely<Tables>,
  blogId: string,
  { days, before, adId, placement }: SumsQuery,
): Promise<Sums> {
  const current = sql<number>`case when day >= ${days.from} then 1 else 0 end`;
  const within = <T extends 'ad_counts' | 'placement_counts'>(table: T) => {
    const range = (from: string, to: string) => sql<boolean>`day between ${from} and ${to}`;
    const either = sql`${range(days.from, days.to)} or ${range(before.from, before.to)}`;
    // The index is read from the first day to the last; between the two there may be some that are not meant.
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
  // Rows of a day and a placement lie side by side: one way past them all, and no sorting.
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

/** PostgreSQL makes a decimal number of a sum, which would come as a text. */
const sum = (of: ReturnType<typeof sql>) => sql<number>`cast(sum(${of}) as bigint)`;
