import type { Click, ClickOutcome, Delivered, Delivery } from '@broadsheet/core';
import type { Kysely, RawBuilder } from 'kysely';
import type { Tables } from '../tables.ts';

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
