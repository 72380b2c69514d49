import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { type TestWorldOptions, useTestWorld } from './test-world.ts';

/** The part of vitest's test context that is used here. */
type TestContext = { readonly task?: { readonly result?: { readonly state: string } | undefined } };

/**
 * A fixture that gives each test its own world, even concurrent tests, and fails a test that sent requests off the
 * contract (unless the test calls `world.forgive()`). If a test fails, it reports which faults matched no request and
 * which responses are pending.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const test = base.extend<{ world: World }>({ world: worldFixture(mock) });
 * test('shows a post', async ({ world }) => renderHome(world.connection));
 * ```
 */
export function worldFixture(
  mock: Mock,
  options: Omit<TestWorldOptions, 'apiKey'> = {},
): (context: TestContext, use: (world: World) => Promise<void>) => Promise<void> {
  // Vitest reads the required fixtures from this destructuring pattern.
  return ({ task }, use) => useTestWorld(mock, options, use, () => task?.result?.state === 'fail');
}
