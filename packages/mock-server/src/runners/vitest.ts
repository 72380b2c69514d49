import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { type TestWorldOptions, useTestWorld } from './test-world.ts';

/** The part of vitest's test context that is used here. */
interface TestAtHand {
  readonly task?: { readonly result?: { readonly state: string } | undefined };
}

/**
 * A fixture that gives each test a world of its own, concurrent tests too, and fails a test that sent requests the
 * contract does not know (unless it calls `world.forgive()`). Of a test that failed it says which faults met no request
 * and which answers still wait.
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
): (context: TestAtHand, use: (world: World) => Promise<void>) => Promise<void> {
  // Vitest reads from this pattern what is needed.
  return ({ task }, use) => useTestWorld(mock, options, use, () => task?.result?.state === 'fail');
}
