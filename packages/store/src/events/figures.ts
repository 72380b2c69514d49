import { codeUnitOrder, EXCLUDED, type Figure, type FigureKey, type FiguresQuery } from '@broadsheet/core';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type Db, names } from '../sql.ts';

const COLUMNS = {
  day: 'day',
  ad: 'ad_id',
  campaign: 'campaign_id',
  placement: 'placement',
  traffic: 'traffic',
} as const;

const excluded = join(EXCLUDED);
/** In PostgreSQL, the sum of bigints is a decimal number, which the driver would return as a string. */
const sum = (of: Sql) => sql`cast(sum(${of}) as bigint)`;
const SUMS = sql`${sum(sql`delivered`)} as requests,
  ${sum(sql`case when ad_id = '' then 0 else delivered end`)} as delivered,
  ${sum(sql`case when ad_id = '' or traffic in (${excluded}) then 0 else delivered end`)} as valid,
  ${sum(sql`viewable`)} as viewable,
  ${sum(sql`case when traffic in (${excluded}) then 0 else clicks end`)} as clicks`;

/** Adds up counts in the database, because a year has many rows but few sums; see `Store.figures`. */
export async function readFigures<By extends FigureKey>(
  db: Db,
  blogId: string,
  { by, from = '', to = '~', ...wanted }: FiguresQuery<By>,
): Promise<readonly Figure<By>[]> {
  const filters = (['ad', 'campaign', 'placement'] as const).flatMap((name) =>
    wanted[name] === undefined ? [] : [sql`${names(COLUMNS[name])} = ${wanted[name]}`],
  );
  const where = join([sql`blog_id = ${blogId} and day between ${from} and ${to}`, ...filters], ' and ');
  const columns = by.map((name) => `, ${COLUMNS[name]} as ${name}`).join('');
  // Without a group, there is one row even if nothing was counted.
  const groups = by.length > 0 ? sql`group by ${names(...by.map((name) => COLUMNS[name]))}` : sql`having count(*) > 0`;
  const rows = await db<Figure<By>>`select ${SUMS} ${raw(columns)} from counts where ${where} ${groups}`;
  return rows.sort((a, b) => by.reduce((order, name) => order || codeUnitOrder(a[name], b[name]), 0));
}
