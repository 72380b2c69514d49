import type { Mock } from '../worlds/mock.ts';
import type { World, WorldOptions } from '../worlds/world.ts';

/** A world that lives as long as one test. */
export interface TestWorld {
  readonly world: World;
  /**
   * Drops the world, once. @returns an error that lists the requests off the contract and, for a failed or strict test,
   * what it left unfinished
   */
  end(failed: boolean): Error | undefined;
}

/** The options for the world of a test. */
export interface TestWorldOptions extends Omit<WorldOptions, 'name'> {
  /** Fails a test that leaves something unfinished: a fault or gate that matched no request, or a pending response. */
  readonly strict?: boolean;
}

/** Creates a world for one test. */
export function openTestWorld(mock: Mock, { strict = false, ...options }: TestWorldOptions): TestWorld {
  const world = mock.world(options);
  let over = false;
  return {
    world,
    end(failed) {
      if (over) return undefined;
      over = true;
      const complaint = complaintOf(world, failed, strict);
      // If the test passed, dropping its world warns about pending responses.
      if (failed) world.reset();
      mock.drop(world);
      return complaint;
    },
  };
}

function complaintOf(world: World, failed: boolean, strict: boolean): Error | undefined {
  const left = failed || strict ? world.unfinished() : [];
  const head = failed ? 'possible causes of the failure' : 'strict: the test left this unfinished';
  const hints = left.length > 0 ? [`${head}:\n  ${left.join('\n  ')}`] : [];
  try {
    world.assertOnContract();
  } catch (error) {
    if (hints.length === 0) return error as Error;
    hints.unshift((error as Error).message);
  }
  return hints.length > 0 ? new Error(hints.join('\n')) : undefined;
}

/** Gives a test its world, and fails the test if its world reports an error. */
export async function useTestWorld(
  mock: Mock,
  options: TestWorldOptions,
  use: (world: World) => Promise<void>,
  failed: () => boolean,
): Promise<void> {
  const { world, end } = openTestWorld(mock, options);
  await use(world).finally(() => {
    const complaint = end(failed());
    if (complaint) throw complaint;
  });
}
