import type { World } from '../worlds/world.ts';
import { mixtureOf, nameOf, type Point, pointOf, UNWRAPPED } from './mixture.ts';

/** Thrown by `mock.explore`: the smallest mixture found that still fails. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
  /** Give it to `mock.fuzz` to see the failure again. */
  readonly seed: string;

  constructor(seed: string, cause: unknown) {
    const { mutations, unwrapped, oneIn } = mixtureOf(seed);
    const oddities = [...mutations, ...(unwrapped ? ['unwrapped'] : [])].join(', ') || 'plain answers';
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`fails with ${oddities} in one of ${oneIn} places: ${reason}\nSee it again with mock.fuzz('${seed}').`, {
      cause,
    });
    this.seed = seed;
  }
}

/** How far to look. */
export interface ExploreOptions {
  /** Points to try; 50 by default. */
  readonly runs?: number;
  /** Decides which points. */
  readonly seed?: string | number;
}

/** Where the worlds come from. */
interface Worlds {
  fuzz(seed: string): World;
  drop(world: World): void;
}

/**
 * Tries points until one fails, then takes away whatever the failure does not need.
 *
 * @throws FuzzFailure
 * @throws TypeError for what is no render, or no option: a search that looks nowhere must not pass
 */
export async function explore(
  worlds: Worlds,
  use: (world: World) => unknown,
  options: ExploreOptions = {},
): Promise<void> {
  if (typeof use !== 'function') {
    throw new TypeError(`mock.explore: the render is ${String(use)}; give it a function that takes a world`);
  }
  const { runs = 50, seed = 0, ...rest } = options;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`mock.explore: there is no option ${unknown}; there are runs, seed`);
  if (!(Number.isInteger(runs) && runs >= 1)) {
    throw new TypeError(`mock.explore: runs is ${runs}; write a whole number from 1`);
  }
  for (let run = 0; run < runs; run += 1) {
    const point = pointOf(`${seed} ${run}`);
    const failure = await attempt(worlds, use, point);
    if (!failure) continue;
    const smallest = await shrink(worlds, use, { point, failure });
    throw new FuzzFailure(nameOf(smallest.point), smallest.failure.cause);
  }
}

interface Failed {
  readonly point: Point;
  readonly failure: { readonly cause: unknown };
}
type Use = Parameters<typeof explore>[1];

async function attempt(worlds: Worlds, use: Use, point: Point): Promise<{ readonly cause: unknown } | undefined> {
  const world = worlds.fuzz(nameOf(point));
  try {
    await use(world);
    return undefined;
  } catch (cause) {
    return { cause };
  } finally {
    worlds.drop(world);
  }
}

async function shrink(worlds: Worlds, use: Use, first: Failed): Promise<Failed> {
  let smallest = first;
  const consider = async (point: Point) => {
    const failure = await attempt(worlds, use, point);
    if (failure) smallest = { point, failure };
  };
  for (let bit = UNWRAPPED; bit >= 1; bit >>= 1) {
    const { point } = smallest;
    if (point.bits & bit) await consider({ ...point, bits: point.bits & ~bit });
  }
  await consider({ ...smallest.point, oneIn: 1, seed: 0 });
  return smallest;
}
