import { codeUnitOrder, EXCLUDED, type Figure, type FigureKey, type FiguresQuery } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

const COLUMNS = {
  day: 'day',
  ad: 'ad_id',
  campaign: 'campaign_id',
  placement: 'placement',
  traffic: 'traffic',
} as const;

const excluded = sql.join(EXCLUDED.map((reason) => sql.lit(reason)));
/** In PostgreSQL, the sum of bigints is a decimal number, which the driver would return as a string. */
const sum = (of: ReturnType<typeof sql>) => sql<number>`cast(sum(${of}) as bigint)`;
const SUMS = sql`${sum(sql`delivered`)} as requests,
  ${sum(sql`case when ad_id = '' then 0 else delivered end`)} as delivered,
  ${sum(sql`case when ad_id = '' or traffic in (${excluded}) then 0 else delivered end`)} as valid,
  ${sum(sql`viewable`)} as viewable,
  ${sum(sql`case when traffic in (${excluded}) then 0 else clicks end`)} as clicks`;

/** Adds up counts in the database, because a year has many rows but few sums; see `Store.figures`. */
export async function readFigures<By extends FigureKey>(
  db: Kysely<Tables>,
  blogId: string,
  { by, from = '', to = '~', ...wanted }: FiguresQuery<By>,
): Promise<readonly Figure<By>[]> {
  const filters = (['ad', 'campaign', 'placement'] as const).flatMap((name) =>
    wanted[name] === undefined ? [] : [sql`and ${sql.ref(COLUMNS[name])} = ${wanted[name]}`],
  );
  const columns = by.map((name) => sql.ref(COLUMNS[name]));
  const names = by.map((name) => sql`${sql.ref(COLUMNS[name])} as ${sql.ref(name)},`);
  // Without a group, there is one row even if nothing was counted.
  const groups = by.length > 0 ? sql`group by ${sql.join(columns)}` : sql`having count(*) > 0`;
  const { rows } = await sql<Figure<By>>`select ${sql.join(names, sql` `)} ${SUMS} from counts
    where blog_id = ${blogId} and day between ${from} and ${to} ${sql.join(filters, sql` `)} ${groups}`.execute(db);
  return [...rows].sort((a, b) => by.reduce((order, name) => order || codeUnitOrder(a[name], b[name]), 0));
}
