import type { Mock } from '../worlds/mock.ts';
import type { World, WorldOptions } from '../worlds/world.ts';

/** A world that lives as long as one test. */
export interface TestWorld {
  readonly world: World;
  /**
   * Drops the world, once. @returns what its test must still learn: requests that are off the contract, and of a
   * test that failed what it has left
   */
  end(failed: boolean): Error | undefined;
}

/** Makes a world for one test. */
export function openTestWorld(mock: Mock, options: WorldOptions): TestWorld {
  const world = mock.world(options);
  let over = false;
  return {
    world,
    end(failed) {
      if (over) return undefined;
      over = true;
      const complaint = complaintOf(world, failed);
      // Of a test that passed, dropping its world says what still waited.
      if (failed) world.reset();
      mock.drop(world);
      return complaint;
    },
  };
}

function complaintOf(world: World, failed: boolean): Error | undefined {
  const left = failed ? world.unfinished() : [];
  const hints = left.length > 0 ? [`what may be why the test failed:\n  ${left.join('\n  ')}`] : [];
  try {
    world.assertOnContract();
  } catch (error) {
    if (hints.length === 0) return error as Error;
    hints.unshift((error as Error).message);
  }
  return hints.length > 0 ? new Error(hints.join('\n')) : undefined;
}
