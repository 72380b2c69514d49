import { dayOf, fold } from '@broadsheet/core';
import { TOTAL } from '../events/dialect.ts';
import { type Db, readInBatches } from '../sql.ts';
import { type Column, TABLES, type TableName, type Tables } from '../tables.ts';
import { readOlderCounts } from './older-counts.ts';
import type { Layout } from './schema.ts';

type Row = Readonly<Record<string, unknown>>;
/** Returns the values of columns that an older row lacks, or whose meaning has changed; `undefined` drops the row. */
type Conversion = (row: Row) => Row | undefined;

/** How rows of older tables become rows of the current ones. */
interface OlderTable {
  /** Prepares the conversion of rows that lack one of these columns. */
  readonly convert?: (db: Db, layout: Layout) => Conversion | Promise<Conversion>;
  /** Rows that an older database lacks beside those of its table. */
  readonly add?: (db: Db) => AsyncIterable<readonly Row[]>;
  /** The rows of a table that an older database does not have. */
  readonly create?: (db: Db, layout: Layout) => Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;
}

/**
 * Every older version becomes the current one in a single step, so these conversions look at the columns that a row has.
 * A new column that may be null or has a default needs no entry.
 */
const OLDER_TABLES: Partial<Record<TableName, OlderTable>> = {
  posts: { convert: () => withFoldedSlug },
  counts: { create: readOlderCounts },
  campaign_ads: { create: () => [] },
  campaign_counts: { add: readTotals },
  deliveries: { convert: convertDeliveries },
  webhooks: { convert: () => withOldSecrets },
  invitations: { convert: convertInvitations },
  panel_log: {
    convert:
      () =>
      ({ who, what }) => ({ fold_text: fold(`${who} ${what}`) }),
  },
};

/** Columns of the first version that later ones do not have: their contents are in other columns, or not needed. */
const FORMER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  blogs: ['number'],
  campaign_counts: ['excluded', 'viewable'],
  deliveries: ['excluded'],
  webhooks: ['old_secret', 'old_until'],
};

/** Tables of the first version that later ones do not have. */
export const FORMER_TABLES = ['ad_counts', 'placement_counts'] as const;

/** Whether rows must be added to a table of an older version, even if its columns are unchanged. */
export const needsRows = (name: TableName): boolean => OLDER_TABLES[name]?.add !== undefined;

/** The first table or column, as `table.column`, in which a database differs from every older version. */
export function findUnknown(layout: Layout): string | undefined {
  for (const name of Object.keys(TABLES) as TableName[]) {
    const columns = layout.get(name)?.columns;
    if (!columns && !OLDER_TABLES[name]?.create) return name;
    const known = new Set([...Object.keys(TABLES[name]), ...(FORMER_COLUMNS[name] ?? [])]);
    const unknown = columns?.find((column) => !known.has(column));
    if (unknown !== undefined) return `${name}.${unknown}`;
  }
  return undefined;
}

/**
 * Reads a table of an older database in batches, as rows of the current version.
 *
 * @param size the number of rows of a batch
 */
export async function* readOlderRows(
  db: Db,
  name: TableName,
  { layout, size }: { readonly layout: Layout; readonly size: number },
): AsyncGenerator<readonly Row[]> {
  const { convert, add, create } = OLDER_TABLES[name] ?? {};
  const columns = layout.get(name)?.columns;
  if (!columns) return yield* create?.(db, layout) ?? [];
  const missing = Object.entries<Column>(TABLES[name]).filter(([column]) => !columns.includes(column));
  const values: Record<string, unknown> = {};
  for (const [column, { isNullable, default: value }] of missing) {
    if (isNullable || value !== undefined) values[column] = isNullable ? null : value;
  }
  const known = columns.filter((column) => column in TABLES[name]);
  const converted = missing.length > 0 ? await convert?.(db, layout) : undefined;
  for await (const rows of readInBatches<Row>(db, name, size)) {
    const current = rows.flatMap((row) => {
      const more = converted ? converted(row) : {};
      return more ? [{ ...values, ...Object.fromEntries(known.map((column) => [column, row[column]])), ...more }] : [];
    });
    if (current.length > 0) yield current;
  }
  if (add) yield* add(db);
}

function withFoldedSlug({ slug }: Row): Row {
  const folded = fold(String(slug));
  return { fold_slug: folded === slug ? null : folded };
}

/** A webhook had one old secret. */
function withOldSecrets({ old_secret: secret, old_until: until }: Row): Row {
  return { old_secrets: secret == null || until == null ? null : JSON.stringify([{ secret, until }]) };
}

/** The totals of campaigns that have none yet. */
async function* readTotals(db: Db): AsyncGenerator<readonly Row[]> {
  const totals = db<Tables['campaign_counts']>`
    select blog_id, campaign_id, ${TOTAL} as day,
      cast(sum(impressions) as bigint) as impressions, cast(sum(clicks) as bigint) as clicks
    from campaign_counts group by blog_id, campaign_id having min(day) <> ${TOTAL}`;
  const rows = await totals;
  if (rows.length > 0) yield rows;
}

/** An invitation had the rights that the person had already. */
async function convertInvitations(db: Db): Promise<Conversion> {
  const people = await db<Tables['people']>`select * from people`;
  const rights = new Map(people.map(({ name, role, blog_id }) => [name, { role, blog_id }]));
  return ({ name }) => rights.get(String(name));
}

/**
 * Deliveries had no day and no traffic, and the first ones stored their ads as a list. Their campaigns are those that the
 * ads have now. They are used for ten minutes.
 */
async function convertDeliveries(db: Db): Promise<Conversion> {
  const blogs = await db<Tables['blogs']>`select blog_id, time_zone from blogs`;
  const zones = new Map(blogs.map(({ blog_id, time_zone }) => [blog_id, time_zone ?? undefined]));
  const ads = await db<Tables['ads']>`select blog_id, id, campaign_id from ads where campaign_id is not null`;
  const campaigns = new Map(ads.map(({ blog_id, id, campaign_id }) => [`${id}${blog_id}`, campaign_id]));
  return ({ blog_id, ads: json, excluded, at }) => {
    const adIds: readonly (string | null)[] = JSON.parse(String(json));
    const sold = adIds.flatMap((id) => {
      const campaign = campaigns.get(`${id}${blog_id}`);
      return id !== null && campaign ? [[id, campaign]] : [];
    });
    return {
      ads: JSON.stringify({ adIds, campaigns: Object.fromEntries(sold) }),
      day: dayOf(Number(at), zones.get(String(blog_id))),
      traffic: excluded === 1 ? 'unknown' : 'valid',
    };
  };
}
