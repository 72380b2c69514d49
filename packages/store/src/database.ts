import type { Click, ClickOutcome } from '@broadsheet/core';
import type { Kysely, RawBuilder } from 'kysely';
import type { Ready } from './prepared.ts';
import type { PostSearch } from './search/post-search.ts';
import type { Tables } from './tables.ts';

/** UTF-8, or the text it encodes. */
export type Bytes = Uint8Array<ArrayBuffer> | string;

/** What the store needs of a database beside SQL that all of them speak. */
export interface Database {
  /** For single statements; it sees what is committed. */
  readonly reader: Kysely<Tables>;
  /** For transactions. */
  readonly writer: Kysely<Tables>;
  /** For transactions that may take long, such as an import: the time limits of requests do not hold. */
  readonly patient: Kysely<Tables>;
  /** Readies reads that are run often. They see what is committed, like `reader`. */
  readonly ready: Ready;
  /** A text as UTF-8 in an expression; where a database has no short way, it stays a text. */
  asBytes(text: RawBuilder<string>): RawBuilder<Bytes>;
  readonly search: PostSearch;
  /** Does the whole of `Store.recordClick` in one statement; without it clicks share commits. */
  readonly recordClick?: (blogId: string, click: Click) => Promise<ClickOutcome>;
  /** A number that changes when blogs may have been written by somebody else; see `keepReads`. */
  epoch(): number;
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
