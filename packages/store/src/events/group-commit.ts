import { nextTurn } from '../turns.ts';

/** Turns of the event loop, and milliseconds, that a commit waits at most for others to join. */
const TURNS = 8;
const WAIT = 4;

/** Milliseconds after which a wait counts as long: a request that waited so long behind a commit that fails fails with it. */
const LONG = 200;

interface Waiting<Item, Result> {
  readonly item: Item;
  /** When it came, by the monotonic clock. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent writes share one commit: while one is on its way, those that come wait for the next, which takes
 * them all. Nobody gets a result before the commit that holds their item is done; when it fails, all of them learn why, and
 * so do those who have waited behind it for long: the time-out of a database is not waited for twice.
 *
 * @param commit writes items in one transaction and gives a result for each, in order
 */
export function createGroupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
): { (item: Item): Promise<Result>; settled(): Promise<void> } {
  let waiting: Waiting<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  /** Waits for as long as each turn brings another item: as a rule, reading a request takes less than a commit. */
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
        // A commit gives one result for each item, in order.
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
