import { nextTurn } from '../turns.ts';

/** The maximum number of turns of the event loop, and of milliseconds, that a commit waits for others to join. */
const TURNS = 8;
const WAIT = 4;

/** Milliseconds after which an item that waits behind a commit fails with it. */
const LONG = 200;

interface Waiting<Item, Result> {
  readonly item: Item;
  /** When the item was added, by the monotonic clock. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent writes share a commit: items that arrive while one is running wait for the next, which includes them
 * all. An item gets its result only after its commit. If that fails, all of its items fail with the same error, and so
 * do items that have waited long behind it: nobody waits for the time-out of a database twice.
 *
 * @param commit writes items in one transaction and returns a result for each, in order
 */
export function createGroupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
): { (item: Item): Promise<Result>; settled(): Promise<void> } {
  let waiting: Waiting<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  /** Waits as long as each turn adds an item, because reading a request usually takes less time than a commit. */
  async function gather(): Promise<void> {
    const end = performance.now() + WAIT;
    for (let turns = 0, before = 0; turns < TURNS && waiting.length > before; turns += 1) {
      before = waiting.length;
      await nextTurn();
      if (performance.now() > end) return;
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      const group = waiting;
      waiting = [];
      try {
        const results = await commit(group.map(({ item }) => item));
        // `commit` returns one result for each item, in order.
        for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
      } catch (error) {
        const late = performance.now() - LONG;
        const failed = [...group, ...waiting.filter(({ since }) => since < late)];
        waiting = waiting.filter(({ since }) => since >= late);
        for (const { reject } of failed) reject(error);
      }
    }
    running = undefined;
  }

  const add = (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      running ??= run();
    });
  return Object.assign(add, { settled: async () => running });
}
