import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { openTestWorld, type TestWorld, type TestWorldOptions } from './test-world.ts';

/** How a runner reports a test. */
type Define = (name: string, body: () => Promise<void>, timeout?: number) => unknown;

/**
 * The part of a runner that is used here, as Jest, Mocha (`it` for `test`), Bun and `node:test` have it.
 *
 * @example
 * ```ts
 * const runner: TestRunner = { test, afterEach };
 * const withWorlds = worldTest(mock, {}, runner);
 * ```
 */
export interface TestRunner {
  readonly test: Define & { readonly only?: Define; readonly skip?: Define; readonly concurrent?: Define };
  afterEach(body: () => void): unknown;
}

/** A test that gets a world, with its limit in milliseconds. */
type DefineWithWorld = (name: string, body: (context: { readonly world: World }) => unknown, timeout?: number) => void;

/**
 * Defines tests that each get a world.
 *
 * @example
 * ```ts
 * const withWorlds: WorldTest = worldTest(mock);
 * withWorlds.concurrent('shows a post', async ({ world }) => renderHome(world.connection));
 * ```
 */
export type WorldTest = DefineWithWorld & {
  readonly only: DefineWithWorld;
  readonly skip: DefineWithWorld;
  readonly concurrent: DefineWithWorld;
};

/**
 * A `test` that gives each test a world of its own, for Jest and runners like it. It fails a test that sent requests
 * the contract does not know (unless it calls `world.forgive()`); of a test that failed, or ran out of time, it says
 * which faults met no request and which answers still wait.
 *
 * @example
 * ```ts
 * const withWorlds = worldTest(mock);
 * withWorlds('shows a post', async ({ world }) => renderHome(world.connection));
 * ```
 * @throws TypeError where the runner has no global `test` and `afterEach`, and none is given
 */
export function worldTest(
  mock: Mock,
  options: Omit<TestWorldOptions, 'apiKey'> = {},
  runner: Partial<TestRunner> = globalThis as Partial<TestRunner>,
): WorldTest {
  const { test, afterEach } = runner;
  if (!test || !afterEach) {
    throw new TypeError(
      'worldTest: there are no global test and afterEach; give those of the runner: worldTest(mock, {}, { test, afterEach })',
    );
  }
  const running = new Set<TestWorld>();
  // The body of a test that ran out of time may never end. It has failed already, and some runners take no second report.
  afterEach(() => {
    for (const one of running) {
      running.delete(one);
      const complaint = one.end(true);
      if (complaint) console.warn(complaint.message);
    }
  });
  const withWorld =
    (define: Define = test, alone = true): DefineWithWorld =>
    (name, body, ...limit) => {
      const run = async () => {
        const one = openTestWorld(mock, options);
        // Hooks of tests that run beside each other do not say whose they are.
        if (alone) running.add(one);
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
    only: withWorld(test.only),
    skip: withWorld(test.skip),
    concurrent: withWorld(test.concurrent, false),
  });
}

/** The error of a test with what may be why; runners print its stack, which holds the message. */
function explained(error: unknown, complaint: Error | undefined): unknown {
  if (!complaint || !isError(error)) return error ?? complaint;
  const { message, stack = '' } = error;
  const whole = `${message}\n\n${complaint.message}`;
  return Object.assign(error, { message: whole, stack: stack.replace(message, () => whole) });
}

/** Also one of another realm, such as the one a runner's assertions come from. */
const isError = (error: unknown): error is Error => typeof Object(error).message === 'string';
