import type { BlogContent } from '../data/sample-blog.ts';
import { ANY, COUNT, check } from '../worlds/checks.ts';
import type { InnerWorld } from '../worlds/create-world.ts';
import type { World, WorldOptions } from '../worlds/world.ts';
import type { FuzzSeed, Point } from './lens.ts';
import { contentVariation, inAnyItem, mustBeVariations, PRESETS, pointOf, textOf, varied } from './variations.ts';

/** Thrown by `mock.explore`: the fewest variations found that still make the render fail. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
  /** Pass them to `mock.fuzz` to reproduce the failure. */
  readonly variations: readonly string[];

  constructor(variations: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const varied = variations.length === 0 ? ['the plain responses'] : variations.map(textOf);
    const again = `Reproduce it with await mock.fuzz(${JSON.stringify(variations)}).`;
    super(`fails with ${varied.join(', and ')}: ${reason}\n${again}`, { cause });
    this.variations = variations;
  }
}

/** How much to explore. */
export interface ExploreOptions {
  /** Points to try after the plain blog and the presets; 50 by default. */
  readonly runs?: number;
  /** Decides which points to try. */
  readonly seed?: string | number;
  /** Variations that your code need not handle, by name: `['unwrapped', 'content: noAds']`. */
  readonly without?: readonly string[];
}

/** Where the worlds come from. */
export interface Worlds {
  sample(): BlogContent;
  create(options: WorldOptions): InnerWorld;
  drop(world: World): void;
}

/** Creates the world of a seed. @throws RangeError for an unknown variation */
export function fuzzWorld(worlds: Worlds, seed: FuzzSeed): World {
  const point = pointOf(seed);
  const { world, context } = openWorld(worlds, point);
  context.lenses.set('*', point);
  return world;
}

const openWorld = ({ sample, create }: Worlds, { variations }: Point): InnerWorld =>
  create({ blog: varied(sample(), variations) });

/**
 * Tries the plain blog, the presets and then random points until one fails, then removes every variation that the failure
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
  check('mock.explore', options, { runs: COUNT, seed: ANY, without: ANY });
  const { runs = 50, seed = 0, without = [] } = options;
  mustBeVariations('mock.explore', without);
  const spared = without.map(inAnyItem);
  const seeds: FuzzSeed[] = [
    [],
    ...Object.keys(PRESETS),
    ...Array.from({ length: runs }, (_, run) => `${seed} ${run}`),
  ];
  for (const one of seeds) {
    const point = pointOf(one);
    const variations = new Set([...point.variations].filter((variation) => !spared.includes(inAnyItem(variation))));
    const run = (wanted: Point) => attempt(worlds, use, { ...wanted, without: spared });
    const failed = await run({ ...point, variations });
    if (failed) throw await smallest(run, failed);
  }
}

interface Failed {
  readonly variations: readonly string[];
  readonly cause: unknown;
}
type Use = Parameters<typeof explore>[1];

/** Runs the render once; a failure lists every variation that the render received. */
async function attempt(worlds: Worlds, use: Use, point: Point): Promise<Failed | undefined> {
  const { world, context } = openWorld(worlds, point);
  const seen = new Set([...point.variations].filter(contentVariation));
  context.lenses.set('*', { ...point, seen });
  try {
    await use(world);
    return undefined;
  } catch (cause) {
    return { variations: [...seen], cause };
  } finally {
    worlds.drop(world);
  }
}

/** The maximum number of renders for shrinking a failure, because each of them costs the user time. */
const MAX_ATTEMPTS = 400;

/** Removes halves, then quarters, and so on, until the failure needs every variation that is left. */
async function smallest(run: (point: Point) => Promise<Failed | undefined>, first: Failed): Promise<FuzzFailure> {
  let { variations, cause } = first;
  let attempts = 0;
  let parts = 2;
  while (variations.length > 0 && attempts < MAX_ATTEMPTS) {
    const size = Math.ceil(variations.length / parts);
    let smaller: Failed | undefined;
    for (let from = 0; from < variations.length && !smaller && attempts < MAX_ATTEMPTS; from += size) {
      attempts += 1;
      const rest = [...variations.slice(0, from), ...variations.slice(from + size)];
      const failed = await run({ variations: new Set(rest) });
      // Variations that occurred only in this run are not the cause.
      if (failed) smaller = { variations: rest, cause: failed.cause };
    }
    if (smaller) {
      ({ variations, cause } = smaller);
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(variations.length, parts * 2);
  }
  return new FuzzFailure(variations, cause);
}
