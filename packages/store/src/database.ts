import { StoreUnavailable } from '@broadsheet/core';
import type { EventDialect } from './events/dialect.ts';
import type { Runtime } from './runtime.ts';
import type { SchemaDialect } from './schema/schema.ts';
import type { PostSearch } from './search/post-texts.ts';
import type { Db } from './sql.ts';

/** UTF-8 bytes, or the string that they encode. */
export type Bytes = Uint8Array<ArrayBuffer> | string;

/**
 * The purpose of a transaction: a `request`, by default; a write that can be retried `soon`, and rejects with
 * `StoreUnavailable` if others block it for long; `long` work, to which the time limits of requests do not apply; or the
 * commit of events of several blogs `together`, or of one blog `apart`, which may wait longer for locked rows.
 */
export interface TransactOptions {
  readonly for?: 'request' | 'soon' | 'long' | 'together' | 'apart' | undefined;
}

/** Thrown when rows stay locked for too long, or a statement takes too long; the database itself is available. */
export class LockTimeout extends StoreUnavailable {}

/** Runs work in a transaction, which is rolled back if the work rejects. */
export type Transact = <T>(work: (transaction: Db) => Promise<T>, options?: TransactOptions) => Promise<T>;

/** The work of an import in its transaction. It calls `load` before it writes a blog. */
export type ImportWork<T> = (transaction: Db, load: (blogId: string) => Promise<void>) => Promise<T>;

/** Runs an import, and runs it again if its blogs were changed in the meantime. */
export type ImportTransact = <T>(work: ImportWork<T>) => Promise<T>;

/** How often an import is attempted before it gives up because its blogs keep changing. */
export const IMPORT_ATTEMPTS = 3;
export const KEPT_CHANGING = 'Other writes kept changing a blog while it was being imported';

/** Receives problems that concern the operator but that no caller sees. */
export type Report = (message: string, cause: unknown) => void;

/** Removes events that are too old to matter, periodically and in small batches. */
export interface Pruning {
  /** Starts another round if it is time; `now` is the time of an event. */
  at(now: number): void;
  /** Prevents further rounds, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Notifies a process that blogs and keys have been written. */
export interface Changes {
  /** Cached reads are valid as long as this returns the same number. */
  epoch(): number;
  /** Milliseconds after a commit until no process uses older cached data. */
  readonly delay: number;
  /** Calls back when a blog or one of its keys was written; with `undefined` when it may be any blog. */
  listen(onChange: (blogId: string | undefined) => void): void;
}

/** A transaction and its database. */
export interface Transaction {
  readonly db: Db;
  readonly database: Pick<Database, 'search' | 'rowsPerInsert' | 'duringBulk'>;
}

/** The features of a database that the store needs besides common SQL. */
export interface Database {
  /** For single statements outside of transactions; it sees what is committed. */
  readonly reader: Db;
  readonly transact: Transact;
  /** Its clocks and timers; by default, those of this process. */
  readonly runtime?: Runtime | undefined;
  /**
   * Runs imports so that the database accepts other writes in the meantime; by default, they run in a `long`
   * transaction.
   */
  readonly stageImport?: ImportTransact | undefined;
  /** Makes imports of a blog give way to a waiting write. Call the returned function when the write has ended. */
  interruptImports?(blogId: string): () => void;
  /** Reads a consistent snapshot, unaffected by concurrent writes and without a time limit. */
  readonly snapshot: Transact;
  /** An expression for a text as UTF-8 bytes; without a cheap conversion in the database, it remains a text. */
  asBytes(text: string): string;
  /** The size of the page cache in bytes, if there is less memory than usual. */
  readonly pageCacheBytes?: number;
  readonly search: PostSearch;
  readonly eventDialect: EventDialect;
  /** Whether it commits concurrent writes together automatically, so that the store commits each event separately. */
  readonly groupsCommits?: true;
  /** Removes old events; by default, this happens periodically while clicks arrive. */
  readonly pruning?: Pruning;
  readonly changes: Changes;
  /** How its schema is written. */
  readonly schema: SchemaDialect;
  /** Whether this database can store and compare a text. If not, no row contains the text. */
  canHold(text: string): boolean;
  /** The number of posts in one insert. */
  readonly rowsPerInsert: number;
  /** Called from time to time while many posts are written, in their transaction. */
  duringBulk?(transaction: Db): Promise<void>;
  /** Called after many posts were written. */
  afterBulk?(): Promise<void>;
  /** The metrics of the database; see `SqlStore.measures`. */
  measures?(): Readonly<Record<string, { readonly help: string; readonly value: number }>>;
  close(): Promise<void>;
}
