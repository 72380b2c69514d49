import type { Click, ClickOutcome, Delivered, Delivery } from '@broadsheet/core';
import type { Kysely, RawBuilder } from 'kysely';
import type { Ready } from './prepared.ts';
import type { PostSearch } from './search/post-texts.ts';
import type { Tables } from './tables.ts';

/** UTF-8, or the text it encodes. */
export type Bytes = Uint8Array<ArrayBuffer> | string;

/** Runs work in a transaction, which is undone when the work rejects. */
export type Transact = <T>(work: (transaction: Kysely<Tables>) => Promise<T>) => Promise<T>;

/** What an import does in its transaction; it calls `load` before it writes a blog. */
export type ImportWork<T> = (transaction: Kysely<Tables>, load: (blogId: string) => Promise<void>) => Promise<T>;

/** Runs an import, again if its blogs were changed meanwhile. */
export type ImportTransact = <T>(work: ImportWork<T>) => Promise<T>;

/** Takes what an operator should know and no caller learns. */
export type Report = (message: string, cause: unknown) => void;

/** Forgets events that are too old to matter, now and then and a few at a time. */
export interface Pruning {
  /** Something happened at this instant: perhaps it is time for another round. */
  at(now: number): void;
  /** Resolves when no round is under way; none begins afterwards. */
  stop(): Promise<void>;
}

/** How a database records what readers do. Events of a blog that is not there are dropped. */
export interface EventLog {
  /** See `Store.deliver`. */
  deliver(blogId: string, delivery: Delivery, at: number): Promise<Delivered>;
  /** See `Store.recordClick`. */
  recordClick(blogId: string, click: Click): Promise<ClickOutcome>;
  /** Lets nobody else record until the transaction ends. */
  lock(transaction: Kysely<Tables>): Promise<void>;
  /** What ends a query such that it leaves out rows that another transaction has locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Commits so far, and the events they held. */
  readonly committed: { readonly commits: number; readonly events: number };
  /** Resolves when what was recorded is durable. */
  settled(): Promise<void>;
}

/** How a process learns that blogs and keys have been written. */
export interface Changes {
  /** What was read is good for as long as this gives the same number. */
  epoch(): number;
  /** Calls back when a blog or a key of it was written; with nothing when it may have been any blog. */
  listen(onChange: (blogId: string | undefined) => void): void;
}

/** A transaction and the database that it is one of. */
export interface Transaction {
  readonly db: Kysely<Tables>;
  readonly database: Pick<Database, 'search' | 'rowsPerInsert' | 'duringBulk'>;
}

/** What the store needs of a database beside SQL that all of them speak. */
export interface Database {
  /** For single statements outside of transactions; it sees what is committed. */
  readonly reader: Kysely<Tables>;
  readonly transact: Transact;
  /** For work that may take long, such as an import: the time limits of requests do not hold. */
  readonly transactBulk: Transact;
  /** For imports: others write while one is prepared, where a database has one writer at a time. */
  readonly transactImport: ImportTransact;
  /** For a write that can be made later: it rejects with `StoreUnavailable` when others are in its way for long. */
  readonly transactSoon: Transact;
  /** Reads everything as it is at one moment, whatever is written meanwhile, and for as long as it takes. */
  readonly snapshot: Transact;
  /** Readies reads that are run often. They see what is committed, like `reader`. */
  readonly ready: Ready;
  /** A text as UTF-8 in an expression; where a database has no short way, it stays a text. */
  asBytes(text: RawBuilder<string>): RawBuilder<Bytes>;
  /** Bytes of the page cache, where there is less memory than usual. */
  readonly pageCacheBytes?: number;
  readonly search: PostSearch;
  readonly events: EventLog;
  /** Rejects while nothing can be counted: see `Store.check`. */
  check(): Promise<void>;
  /** How old events are removed; now and then while clicks come, by default. */
  readonly pruning?: Pruning;
  readonly changes: Changes;
  /** Text that this database can hold and compare; what it cannot hold is nowhere to be found. */
  canHold(text: string): boolean;
  /** Rows of posts in one insert. */
  readonly rowsPerInsert: number;
  /** Called now and then while many posts are written, in their transaction. */
  duringBulk(transaction: Kysely<Tables>): Promise<void>;
  /** Called after many posts were written. */
  afterBulk(): Promise<void>;
  /** What it says of itself; see `ServerStore.measures`. */
  measures?(): Readonly<Record<string, { readonly help: string; readonly value: number }>>;
  close(): Promise<void>;
}
