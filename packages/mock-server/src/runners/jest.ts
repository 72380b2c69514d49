import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { openTestWorld, type TestWorld, type TestWorldOptions } from './test-world.ts';

/** A function of a runner that defines a test. */
type Define = (name: string, body: () => Promise<void>, timeout?: number) => unknown;

/** The functions of a runner that are used here. Jest, Mocha (`it` for `test`), Bun and `node:test` have them. */
export interface TestRunner {
  readonly test: Define & { readonly only?: Define; readonly skip?: Define; readonly concurrent?: Define };
  afterEach(body: () => void): unknown;
}

/** Defines a test that gets a world; the timeout is in milliseconds. */
type DefineWithWorld = (name: string, body: (context: { readonly world: World }) => unknown, timeout?: number) => void;

/** Defines tests that each get a world. */
export type WorldTest = DefineWithWorld & {
  readonly only: DefineWithWorld;
  readonly skip: DefineWithWorld;
  readonly concurrent: DefineWithWorld;
};

/**
 * A `test` that gives each test its own world, for Jest and similar runners. It fails a test that sent requests off the
 * contract (unless the test calls `world.forgive()`). If a test fails or times out, it reports which faults matched no
 * request and which responses are pending.
 *
 * @example
 * ```ts
 * const withWorlds = worldTest(mock);
 * withWorlds('shows a post', async ({ world }) => renderHome(world.connection));
 * ```
 * @throws TypeError if `test` and `afterEach` are neither global nor given
 */
export function worldTest(
  mock: Mock,
  options: Omit<TestWorldOptions, 'apiKey'> = {},
  runner: Partial<TestRunner> = globalThis as Partial<TestRunner>,
): WorldTest {
  const { test, afterEach } = runner;
  if (!test || !afterEach) {
    throw new TypeError(
      'worldTest: no global test and afterEach; pass the functions of the runner: worldTest(mock, {}, { test, afterEach })',
    );
  }
  const running = new Set<TestWorld>();
  // The body of a test that timed out may never end. It has failed already, and some runners accept no second error.
  afterEach(() => {
    for (const one of running) {
      running.delete(one);
      const complaint = one.end(true);
      if (complaint) console.warn(complaint.message);
    }
  });
  const withWorld =
    (kind?: 'only' | 'skip' | 'concurrent'): DefineWithWorld =>
    (name, body, ...limit) => {
      const define = kind ? test[kind] : test;
      if (!define) throw new TypeError(`worldTest: the runner has no test.${kind}, so "${name}" cannot be defined`);
      const run = async () => {
        const one = openTestWorld(mock, options);
        // With concurrent tests a hook does not know which test it belongs to.
        if (kind !== 'concurrent') running.add(one);
        try {
          await body({ world: one.world });
        } catch (error) {
          running.delete(one);
          throw explained(error, one.end(true));
        }
        running.delete(one);
        const complaint = one.end(false);
        if (complaint) throw complaint;
      };
      define(name, run, ...limit);
    };
  return Object.assign(withWorld(), {
    only: withWorld('only'),
    skip: withWorld('skip'),
    concurrent: withWorld('concurrent'),
  });
}

/** Adds possible causes to the error of a test; runners print its stack, which contains the message. */
function explained(error: unknown, complaint: Error | undefined): unknown {
  // An error of another realm, such as an assertion of the runner, is not an instance of this Error.
  if (!complaint || typeof Object(error).message !== 'string') return error ?? complaint;
  const { message, stack = '' } = error as Error;
  const whole = `${message}\n\n${complaint.message}`;
  return Object.assign(error as Error, { message: whole, stack: stack.replace(message, () => whole) });
}
