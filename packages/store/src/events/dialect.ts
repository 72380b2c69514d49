import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import { type Column, primaryKey, TABLES, type TableName, type Tables } from '../tables.ts';
import type { Placements } from './placements.ts';

/** What the databases do differently when events are written. */
export interface EventDialect {
  /** The clause at the end of a query that locks its rows until the transaction ends. */
  readonly lock: RawBuilder<unknown>;
  /** The clause at the end of a query that skips rows locked by another transaction. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Blocks all other recording until the transaction ends; a database with one writer at a time needs none. */
  readonly lockEvents?: RawBuilder<unknown>;
  /** The number of rows in one statement. */
  readonly rows: number;
  /** The clause that orders text by its bytes, whatever the collation of the database is. */
  readonly byBytes: string;
  /** A query that returns rows which are its parameters, numbered from `first` if they have numbers. */
  valuesOf<Table extends EventTable>(table: Table, rows: readonly Tables[Table][], first: number): Statement;
  /** Whether a statement may contain another one that writes: a round trip takes longer than the statement. */
  readonly canChain: boolean;
}

/** A transaction in which events are written, or the database if they are a single statement. */
export interface EventWriter {
  readonly db: Kysely<Tables>;
  readonly dialect: EventDialect;
  /** They have admitted the placements of the events. */
  readonly placements: Pick<Placements, 'nameOf'>;
}

/** The text of a statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** A table of events whose rows are written together. */
export type EventTable = Extract<
  TableName,
  'counts' | 'campaign_counts' | 'hour_counts' | 'deliveries' | 'used_tokens' | 'viewed_tokens' | 'counted_clicks'
>;

/** The number of rows in a statement with one parameter for each value: databases limit the number of parameters. */
export const ROWS = 1000;

/**
 * Inserts rows of existing blogs, no two with the same key, and returns what the clause returns. Every process locks the
 * rows in the order of their keys, to avoid deadlocks.
 *
 * @param onConflict what follows `on conflict`
 */
export async function insertRows<Table extends EventTable>(
  { db, dialect }: Pick<EventWriter, 'db' | 'dialect'>,
  table: Table,
  rows: readonly Tables[Table][],
  onConflict: string,
): Promise<readonly Partial<Tables[Table]>[]> {
  const returned: Partial<Tables[Table]>[] = [];
  for (const some of chunks(rows, dialect.rows)) {
    returned.push(...(await run<Partial<Tables[Table]>>(db, insertion(dialect, table, some, { onConflict }))));
  }
  return returned;
}

/** Inserts rows of counts, and then the hours of their deliveries; in one statement if the database can. */
export async function insertCounts(
  { db, dialect }: EventWriter,
  counts: readonly Tables['counts'][],
  hours: readonly Tables['hour_counts'][],
): Promise<void> {
  if (!dialect.canChain || hours.length === 0) {
    await insertRows({ db, dialect }, 'counts', counts, ADD_COUNTS);
    await insertRows({ db, dialect }, 'hour_counts', hours, ADD_HOURS);
    return;
  }
  const one = insertion(dialect, 'counts', counts, { onConflict: `${ADD_COUNTS} returning 1` });
  const other = insertion(dialect, 'hour_counts', hours, {
    onConflict: ADD_HOURS,
    first: one.parameters.length + 1,
    before: `counted as (${one.text}), `,
    // It reads the part before, and therefore waits for it.
    after: 'and (select count(*) from counted) >= 0',
  });
  await run(db, { text: other.text, parameters: [...one.parameters, ...other.parameters] });
}

/** Adds the counters of a row to those of an existing row. */
function addTo(table: 'counts' | 'campaign_counts'): string {
  const counters = Object.entries<Column>(TABLES[table]).filter(([, column]) => column.default === 0);
  const sums = counters.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`);
  return `(${primaryKey(table)}) do update set ${sums}`;
}

const ADD_COUNTS = addTo('counts');
export const ADD_CAMPAIGN_COUNTS = addTo('campaign_counts');

/** Adds deliveries of an hour to an existing row, or replaces it if it is of an earlier hour, two weeks before. */
const ADD_HOURS = `(blog_id, place) do update set hour = excluded.hour,
  deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end
  where hour_counts.hour <= excluded.hour`;

// Without Kysely's query builder, which takes longer than running the query.
const run = async <Row>(db: Kysely<Tables>, { text, parameters }: Statement): Promise<readonly Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;

interface Insertion {
  readonly onConflict: string;
  /** The number of its first parameter. */
  readonly first?: number;
  /** Another part of the statement, and a condition that reads it. */
  readonly before?: string;
  readonly after?: string;
}

function insertion<Table extends EventTable>(
  dialect: EventDialect,
  table: Table,
  rows: readonly Tables[Table][],
  { onConflict, first = 1, before = '', after = '' }: Insertion,
): Statement {
  const definition: Readonly<Record<string, Column>> = TABLES[table];
  const columns = Object.keys(definition);
  const { text, parameters } = dialect.valuesOf(table, rows, first);
  const order = primaryKey(table).map((name) => (definition[name]?.type === 'text' ? name + dialect.byBytes : name));
  return {
    text: `with ${before}fresh (${columns}) as (${text}) insert into ${table} (${columns})
      select * from fresh where blog_id in (select blog_id from blogs) ${after}
      order by ${order} on conflict ${onConflict}`,
    parameters,
  };
}

/** Sets a column of rows, by their blogs and the other column of their keys. */
export async function setColumn(
  db: Kysely<Tables>,
  column: 'campaigns.plan' | 'deliveries.ads',
  rows: readonly (readonly [blogId: string, key: string, value: string | null])[],
): Promise<void> {
  const [table = '', name = ''] = column.split('.');
  const [, key = ''] = primaryKey(table as 'campaigns' | 'deliveries');
  for (const some of chunks(rows, ROWS)) {
    const values = sql.join(some.map((row) => sql`(${sql.join(row)})`));
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = fresh.column3 from (values ${values}) as fresh
      where blog_id = fresh.column1 and ${sql.ref(key)} = fresh.column2`.execute(db);
  }
}
