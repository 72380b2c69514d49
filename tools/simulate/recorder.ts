import { AsyncLocalStorage } from 'node:async_hooks';
import type { Visits } from '../law/law.ts';
import type { SqlStore } from './product.ts';

/** A process whose store is recorded. */
export interface RecordedProcess {
  /** The number of its latest commit among those of all processes. */
  readonly lastCommit: number;
  /** The requests of visitors that it has seen within a minute. */
  readonly visits: Visits;
  /** The time by its clock. */
  now(): number;
}

type Recorded = Pick<SqlStore, 'deliver' | 'recordClick' | 'recordViewable'>;
/** What was recorded; the code that runs commands adds them. */
type Name = keyof Recorded | 'command';

/** Something that a process asked its store to record for a request. */
export interface Pending<Call> {
  readonly call: Call;
  readonly name: Name;
  readonly process: RecordedProcess;
  /** The order in which processes asked. */
  readonly order: number;
  readonly args: readonly unknown[];
  /** The time by the clock of its process. */
  readonly askedAt: number;
}

/** The same, once it is decided. */
export interface Decided<Call> extends Pending<Call> {
  /** The number of the commit that decided it. */
  readonly commit: number;
  readonly result: unknown;
}

/**
 * Sees what requests ask of stores, and the order in which commits decide it: this is the order in which the law has to
 * hold.
 */
export class Recorder<Call = unknown> {
  readonly #calls = new AsyncLocalStorage<Call>();
  readonly pending = new Set<Pending<Call>>();
  decided: Decided<Call>[] = [];
  #commits = 0;
  #order = 0;
  onAsked: (pending: Pending<Call>) => void = () => {};

  nextCommit(): number {
    this.#commits += 1;
    return this.#commits;
  }

  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  /** Runs the request of a call, so that what it records belongs to it. */
  within<T>(call: Call, work: () => T): T {
    return this.#calls.run(call, work);
  }

  /** A store that reports what is recorded. */
  record(store: SqlStore, process: RecordedProcess): SqlStore {
    const recorded = <Args extends readonly unknown[], Result>(
      name: Name,
      work: (...args: Args) => Result | Promise<Result>,
    ) => {
      return async (...args: Args): Promise<Result> => {
        const call = this.#calls.getStore();
        if (call === undefined) return work(...args);
        const pending = { call, name, process, order: this.nextOrder(), args, askedAt: process.now() };
        this.pending.add(pending);
        this.onAsked(pending);
        try {
          const result = await work(...args);
          if (this.pending.has(pending)) this.decided.push({ ...pending, commit: process.lastCommit, result });
          return result;
        } finally {
          this.pending.delete(pending);
        }
      };
    };
    return {
      ...store,
      deliver: recorded('deliver', store.deliver),
      recordClick: recorded('recordClick', store.recordClick),
      recordViewable: recorded('recordViewable', store.recordViewable),
    };
  }

  /** Takes what was decided, in the order of the commits. */
  take(): Decided<Call>[] {
    const decided = this.decided.toSorted((a, b) => a.commit - b.commit || a.order - b.order);
    this.decided = [];
    return decided;
  }
}
