import { createDb, createTransactionDb, type Db, type Transact } from '@broadsheet/store';
import type { Sql } from 'sql-template-tag';
import { inGroups } from './in-groups.ts';

/** The part of the storage of a Durable Object (`ctx.storage`) that we use. */
export interface DurableStorage {
  readonly sql: {
    exec(query: string, ...bindings: unknown[]): { toArray(): Record<string, unknown>[] };
  };
  /** Runs work, and rolls back its writes if it rejects. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** The time at which the object will be woken, in milliseconds since the epoch. */
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

/** The maximum number of parameters of a statement of a Durable Object. */
const MAX_PARAMETERS = 100;
/** The maximum number of characters of parameters that are passed as one JSON array: a value has at most 2 MB. */
const MAX_CHARACTERS = 500_000;
/** The rows of an insert, the values of an `in`, or a single parameter. */
const PLACES = /\bvalues (\((?:\?, ?)*\?\)(?:, ?)?)+|\bin \((?:\?, ?)*\?\)|\?/g;

/** Runs single statements on the storage of a Durable Object. */
export const dbOn = (storage: DurableStorage): Db => createDb((statement) => runStatement(storage, statement));

function runStatement(storage: DurableStorage, { sql, values }: Sql): unknown[] {
  const passed = values.length <= MAX_PARAMETERS ? { text: sql, values } : fromJson(sql, values);
  return storage.sql.exec(passed.text, ...passed.values).toArray();
}

/**
 * Passes more parameters than a statement may have as a few JSON arrays. Lists become subqueries, because the length of
 * a compiled statement is limited too, and an expression for each of 5,000 values exceeds it.
 */
function fromJson(query: string, parameters: readonly unknown[]): { text: string; values: string[] } {
  const values: string[] = [];
  const single: unknown[] = [];
  let next = 0;
  /** A subquery for each of a few arrays. */
  const select = (items: readonly unknown[], columns: string): string =>
    arraysOf(items)
      .map((json) => `select ${columns} from json_each(?${values.push(json) + 1}) where true`)
      .join(' union all ');
  const text = query.replaceAll(PLACES, (place) => {
    const width = place.slice(0, place.indexOf(')')).split('?').length - 1;
    const own = parameters.slice(next, next + place.split('?').length - 1);
    next += own.length;
    if (place === '?') return `(?1->>${single.push(own[0]) - 1})`;
    if (place.startsWith('in')) return `in (${select(own, 'value')})`;
    const rows = Array.from({ length: own.length / width }, (_, row) => own.slice(row * width, (row + 1) * width));
    return select(
      rows,
      Array.from({ length: width }, (_, column) => `value->>${column} as column${column + 1}`).join(', '),
    );
  });
  if (next !== parameters.length) throw new Error('A statement must have no question marks except for its parameters.');
  return { text, values: [JSON.stringify(single), ...values] };
}

/** Items as JSON arrays of limited size. */
function arraysOf(items: readonly unknown[]): string[] {
  const texts = items.map((item) => JSON.stringify(item) ?? 'null');
  return [...inGroups(texts, ({ length }) => length, MAX_CHARACTERS)].map((some) => `[${some.join(',')}]`);
}

/** Runs one transaction at a time: a rollback would also undo what another event wrote in the meantime. */
export function createTransact(storage: DurableStorage): Transact {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const db = createTransactionDb((statement) => runStatement(storage, statement));
    const mine = last.then(() => storage.transaction(() => work(db)));
    last = mine.catch(() => undefined);
    return mine;
  };
}
