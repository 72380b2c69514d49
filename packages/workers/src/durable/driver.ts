import type { Tables, Transact } from '@broadsheet/store';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

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

/** The most parameters that a statement of a Durable Object can have. */
const MAX_PARAMETERS = 100;
/** The maximum number of characters of parameters that are passed as one JSON array: a value has at most 2 MB. */
const MAX_CHARACTERS = 500_000;
/** The rows of an insert, the values of an `in`, or a single parameter. */
const PLACES = /\bvalues (\((?:\?, ?)*\?\)(?:, ?)?)+|\bin \((?:\?, ?)*\?\)|\?/g;

/** Kysely over the storage of a Durable Object. Only the object uses it, so there is one connection and no lock. */
export function kyselyOver(storage: DurableStorage): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DurableDriver(storage),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Runs a statement and returns its rows, with blobs as bytes. */
function runStatement<Row>(storage: DurableStorage, query: string, parameters: readonly unknown[]): Row[] {
  const few = parameters.length <= MAX_PARAMETERS;
  const { text, values } = few ? { text: query, values: parameters } : fromJson(query, parameters);
  // The row type of the query comes from the declared tables.
  return storage.sql.exec(text, ...values).toArray() as Row[];
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
    bySize(items)
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
function bySize(items: readonly unknown[]): string[] {
  const arrays: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const json = JSON.stringify(item) ?? 'null';
    if (characters + json.length > MAX_CHARACTERS) {
      arrays.push([]);
      characters = 0;
    }
    characters += json.length;
    arrays.at(-1)?.push(json);
  }
  return arrays.map((array) => `[${array.join(',')}]`);
}

/** Runs one transaction at a time: a rollback would also undo what another event wrote meanwhile. */
export function createTransact(storage: DurableStorage, db: Kysely<Tables>): Transact {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(() => storage.transaction(() => work(db)));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Objects reject statements for transactions, so nothing begins one: see {@link createTransact}. */
class DurableDriver extends DummyDriver {
  readonly #connection: DatabaseConnection;
  constructor(storage: DurableStorage) {
    super();
    this.#connection = new DurableConnection(storage);
  }
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('A Durable Object rejects statements for transactions; use Database.transact.'));
  }
}

class DurableConnection implements DatabaseConnection {
  readonly #storage: DurableStorage;
  constructor(storage: DurableStorage) {
    this.#storage = storage;
  }
  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const rows = runStatement<Row>(this.#storage, sql, parameters);
    if (query.kind === 'SelectQueryNode') return { rows };
    const [changed] = runStatement<{ rows: number }>(this.#storage, 'select changes() as rows', []);
    return { rows, numAffectedRows: BigInt(changed?.rows ?? 0) };
  }
  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('A Durable Object returns all rows of a statement at once and cannot stream them.');
  }
}
