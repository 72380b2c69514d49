import type { Mock } from './mock.ts';
import type { World, WorldOptions } from './world.ts';

/**
 * A fixture that gives each test a world of its own, concurrent tests too, and fails a test that sent requests the
 * contract does not know (unless it calls `world.forgive()`).
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
  options: Omit<WorldOptions, 'name' | 'apiKey'> = {},
): (context: object, use: (world: World) => Promise<void>) => Promise<void> {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern which other fixtures are needed: none
  return async ({}, use) => {
    const world = mock.world(options);
    try {
      await use(world);
      world.assertOnContract();
    } finally {
      world.reset();
      mock.drop(world);
    }
  };
}
