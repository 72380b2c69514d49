import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Transact } from '../database.ts';
import type { Tables } from '../tables.ts';

/** What we use of the storage of a Durable Object (`ctx.storage`). */
export interface DurableStorage {
  readonly sql: {
    exec(query: string, ...bindings: unknown[]): { toArray(): Record<string, unknown>[] };
  };
  /** Runs work whose writes are undone when it rejects. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** Parameters that one statement of a Durable Object may have. */
const MAX_PARAMETERS = 100;

/** Kysely over the storage of a Durable Object. The object alone has it, so there is one connection and no lock. */
export function kyselyOver(storage: DurableStorage): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DurableDriver(storage),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new NumberedCompiler(),
    },
  });
}

/** Runs a statement and gives its rows; what SQLite calls a blob comes as bytes. */
export function runStatement<Row>(storage: DurableStorage, query: string, parameters: readonly unknown[]): Row[] {
  const cursor =
    parameters.length <= MAX_PARAMETERS
      ? storage.sql.exec(query, ...parameters)
      : storage.sql.exec(fromJson(query), JSON.stringify(parameters));
  // What the query's type says of its rows is what the tables declare.
  return cursor.toArray() as Row[];
}

/** A statement with more parameters than may be bound takes all of them from one, which holds them as JSON. */
function fromJson(query: string): string {
  return query.replace(/\?(\d+)/g, (_, number) => `(?1 ->> '$[${Number(number) - 1}]')`);
}

/** One transaction at a time: whatever another event wrote meanwhile would be undone with it. */
export function createTransact(storage: DurableStorage, db: Kysely<Tables>): Transact {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(() => storage.transaction(() => work(db)));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Numbers its parameters, so that each can be found again in the text; see {@link fromJson}. */
class NumberedCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return `?${this.numParameters}`;
  }
}

class DurableDriver implements Driver {
  readonly #connection: DatabaseConnection;
  constructor(storage: DurableStorage) {
    this.#connection = new DurableConnection(storage);
  }
  async init(): Promise<void> {}
  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }
  beginTransaction(): Promise<void> {
    return refuseTransaction();
  }
  commitTransaction(): Promise<void> {
    return refuseTransaction();
  }
  rollbackTransaction(): Promise<void> {
    return refuseTransaction();
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error('A Durable Object takes no statement for a transaction: use Database.transact.'));
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
    throw new Error('A Durable Object has all rows of a statement at once: do not stream them.');
  }
}
