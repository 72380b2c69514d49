import type { BlogContent } from '../data/sample-blog.ts';
import type { World, WorldOptions } from '../worlds/world.ts';
import type { InnerWorld } from '../worlds/world-api.ts';
import type { FuzzSeed, Point } from './lens.ts';
import { contentOddity, inWords, type Oddity, oddBlog, PRESETS, pointOf } from './oddities.ts';

/** Thrown by `mock.explore`: the fewest oddities found that still make the render fail. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
  /** Pass them to `mock.fuzz` to reproduce the failure. */
  readonly oddities: readonly string[];

  constructor(oddities: readonly Oddity[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const odd = oddities.length === 0 ? ['the plain responses'] : oddities.map(inWords);
    const again = `Reproduce it with await mock.fuzz(${JSON.stringify(oddities)}).`;
    super(`fails with ${odd.join(', and ')}: ${reason}\n${again}`, { cause });
    this.oddities = oddities;
  }
}

/** How much to explore. */
export interface ExploreOptions {
  /** Points to try after the plain blog and the presets; 50 by default. */
  readonly runs?: number;
  /** Decides which points to try. */
  readonly seed?: string | number;
  /** Oddities that your code need not handle, by name: `['unwrapped', 'content: noAds']`. */
  readonly without?: readonly string[];
}

/** Where the worlds come from. */
export interface Worlds {
  readonly sample: BlogContent;
  world(options: WorldOptions): World;
  drop(world: World): void;
}

/** Creates the world of a seed. @throws RangeError for an unknown oddity */
export function fuzzWorld(worlds: Worlds, seed: FuzzSeed): World {
  const world = openWorld(worlds, pointOf(seed));
  world.lens({ fuzz: seed });
  return world;
}

function openWorld({ sample, world }: Worlds, { oddities }: Point): InnerWorld {
  return world({ blog: oddBlog(sample, oddities) }) as InnerWorld;
}

/**
 * Tries the plain blog, the presets and then random points until one fails, then removes every oddity that the failure
 * does not need.
 *
 * @throws FuzzFailure
 * @throws TypeError if the render is not a function: a search that tries nothing must not pass
 */
export async function explore(
  worlds: Worlds,
  use: (world: World) => unknown,
  options: ExploreOptions = {},
): Promise<void> {
  if (typeof use !== 'function') {
    throw new TypeError(`mock.explore: the render must be a function that takes a world; received ${String(use)}`);
  }
  const { runs = 50, seed = 0, without = [] } = options;
  const seeds: FuzzSeed[] = [
    [],
    ...Object.keys(PRESETS),
    ...Array.from({ length: runs }, (_, run) => `${seed} ${run}`),
  ];
  for (const one of seeds) {
    const point = pointOf(one);
    const wanted = { ...point, oddities: new Set([...point.oddities].filter((oddity) => !without.includes(oddity))) };
    const failed = await attempt(worlds, use, wanted);
    if (failed) throw await smallest(worlds, use, failed);
  }
}

interface Failed {
  readonly oddities: readonly Oddity[];
  readonly cause: unknown;
}
type Use = Parameters<typeof explore>[1];

/** Runs the render once; a failure lists every oddity that the render received. */
async function attempt(worlds: Worlds, use: Use, point: Point): Promise<Failed | undefined> {
  const world = openWorld(worlds, point);
  const seen = new Set([...point.oddities].filter(contentOddity));
  world.context.lenses.set('*', { ...point, seen });
  try {
    await use(world);
    return undefined;
  } catch (cause) {
    return { oddities: [...seen], cause };
  } finally {
    worlds.drop(world);
  }
}

/** The maximum number of renders to shrink a failure: each of them costs the user time. */
const MAX_ATTEMPTS = 400;

/** Removes halves, then quarters, and so on, until the failure needs every oddity that is left. */
async function smallest(worlds: Worlds, use: Use, first: Failed): Promise<FuzzFailure> {
  let { oddities, cause } = first;
  let attempts = 0;
  let parts = 2;
  while (oddities.length > 0 && attempts < MAX_ATTEMPTS) {
    const size = Math.ceil(oddities.length / parts);
    let smaller: Failed | undefined;
    for (let from = 0; from < oddities.length && !smaller && attempts < MAX_ATTEMPTS; from += size) {
      attempts += 1;
      const rest = [...oddities.slice(0, from), ...oddities.slice(from + size)];
      const failed = await attempt(worlds, use, { oddities: new Set(rest) });
      // Oddities that only this run brought up are not the cause.
      if (failed) smaller = { oddities: rest, cause: failed.cause };
    }
    if (smaller) {
      ({ oddities, cause } = smaller);
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(oddities.length, parts * 2);
  }
  return new FuzzFailure(oddities, cause);
}
