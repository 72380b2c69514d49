import { isOutage, OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import { LockTimeout } from '../database.ts';
import { nextTurn, RUNTIME, type Runtime } from '../runtime.ts';

/** The maximum number of turns of the event loop, and of milliseconds, that a commit waits for others to join. */
const TURNS = 8;
const WAIT = 4;

/** Milliseconds after which an item that waits behind a commit fails with it. */
const LONG = 200;

/** Writes items in one transaction and returns a result for each, in order. */
type Commit<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  /** When the item was added, by the monotonic clock. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Adds an item, and resolves after its commit; `settled` resolves when every item has its result. */
export interface GroupCommit<Item, Result> {
  (item: Item): Promise<Result>;
  settled(): Promise<void>;
}

/**
 * Lets concurrent writes share a commit: items that arrive while one is running wait for the next, which includes them
 * all. An item gets its result only after its commit.
 *
 * No item fails because of another blog. If a commit fails, each of its blogs gets commits of its own, which the other
 * blogs do not wait for, until one of them succeeds; if such a commit fails, its items are tried one by one. Only when
 * the database is unavailable, all of its items fail, and so do items that have waited long behind it: nobody waits for
 * the time-out of a database twice. Items that may have been written are never written again.
 *
 * @param blogOf the blog of an item
 * @param commitApart writes items of one blog, and may wait longer for rows that are locked
 * @param runtime its clock and its turns
 */
export function createGroupCommit<Item, Result>(
  commit: Commit<Item, Result>,
  blogOf: (item: Item) => string,
  commitApart: Commit<Item, Result> = commit,
  runtime: Runtime = RUNTIME,
): GroupCommit<Item, Result> {
  const apart = new Map<string, Queue<Item, Result>>();
  const shared = new Queue(runtime, commit, async (failed, error) => {
    if (isOutage(error) && !(error instanceof LockTimeout)) return rejectAll(failed, error);
    for (const [blog, own] of Map.groupBy(failed, ({ item }) => blogOf(item))) queueOf(blog).add(own);
  });
  function queueOf(blog: string): Queue<Item, Result> {
    const known = apart.get(blog);
    if (known) return known;
    const queue = new Queue(runtime, commitApart, retryEach, () => apart.delete(blog));
    apart.set(blog, queue);
    return queue;
  }
  async function retryEach(failed: readonly Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (failed.length === 1 || isOutage(error)) return rejectAll(failed, error);
    for (const one of failed) await settle(commitApart, [one], rejectAll);
  }
  const add = (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const queue = apart.get(blogOf(item)) ?? shared;
      queue.add([{ item, since: runtime.monotonic(), resolve, reject }]);
    });
  const settled = async () => {
    await shared.settled();
    await Promise.all([...apart.values()].map((queue) => queue.settled()));
  };
  return Object.assign(add, { settled });
}

type Recover<Item, Result> = (failed: readonly Waiting<Item, Result>[], error: unknown) => Promise<void> | void;

function rejectAll<Item, Result>(failed: readonly Waiting<Item, Result>[], error: unknown): void {
  for (const one of failed) one.reject(error);
}

/** Commits items, and passes on their results; resolves to whether the commit succeeded. */
async function settle<Item, Result>(
  commit: Commit<Item, Result>,
  group: readonly Waiting<Item, Result>[],
  recover: Recover<Item, Result>,
): Promise<boolean> {
  try {
    const results = await commit(group.map(({ item }) => item));
    // `commit` returns one result for each item, in order.
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    return true;
  } catch (error) {
    await recover(group, error);
    return false;
  }
}

/** Commits one group after the other. */
class Queue<Item, Result> {
  readonly #runtime: Runtime;
  readonly #commit: Commit<Item, Result>;
  readonly #recover: Recover<Item, Result>;
  readonly #onEnd: (() => void) | undefined;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  /** @param onEnd called when the queue is empty and its last commit succeeded */
  constructor(runtime: Runtime, commit: Commit<Item, Result>, recover: Recover<Item, Result>, onEnd?: () => void) {
    this.#runtime = runtime;
    this.#commit = commit;
    this.#onEnd = onEnd;
    this.#recover = (failed, error) => {
      if (!isOutage(error)) return recover(failed, error);
      // Rows that have been locked for a long time are likely to stay locked.
      const late = runtime.monotonic() - (error instanceof LockTimeout ? 0 : LONG);
      const behind = this.#waiting.filter(({ since }) => since <= late);
      this.#waiting = this.#waiting.filter(({ since }) => since > late);
      // The items behind it have certainly not been written.
      if (!(error instanceof OutcomeUnknown)) return recover([...failed, ...behind], error);
      rejectAll(
        behind,
        new StoreUnavailable('The database was lost during the commit before this one', { cause: error }),
      );
      return recover(failed, error);
    };
  }

  add(items: readonly Waiting<Item, Result>[]): void {
    this.#waiting.push(...items);
    this.#running ??= this.#run();
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    let succeeded = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting;
      this.#waiting = [];
      succeeded = await settle(this.#commit, group, this.#recover);
    }
    this.#running = undefined;
    if (succeeded) this.#onEnd?.();
  }

  /** Waits while each turn adds an item, because reading a request usually takes less time than a commit. */
  async #gather(): Promise<void> {
    const end = this.#runtime.monotonic() + WAIT;
    for (let turns = 0, before = 0; turns < TURNS && this.#waiting.length > before; turns += 1) {
      before = this.#waiting.length;
      await nextTurn(this.#runtime);
      if (this.#runtime.monotonic() > end) return;
    }
  }
}
