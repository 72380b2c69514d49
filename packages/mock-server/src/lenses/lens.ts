/**
 * The same data as another legal answer: `sparse` has nothing it may leave out and null where it may; `maximal` leaves
 * nothing out; `hostile` holds text that breaks layouts and parsers; `unwrapped` has no success envelope (api.md 4.8).
 *
 * @example
 * ```ts
 * for (const lens of LENSES) {
 *   world.lens(lens);
 *   await renderHome(world.connection);
 * }
 * ```
 */
export const LENSES = ['sparse', 'maximal', 'hostile', 'unwrapped'] as const;
/**
 * The name of a lens.
 *
 * @example
 * ```ts
 * const lens: LensName = 'hostile';
 * world.lens(lens, 'posts.get');
 * ```
 */
export type LensName = (typeof LENSES)[number];

/** The ways to change a field of an answer within its schema. */
export const MUTATIONS = ['absent', 'null', 'filled', 'rtl', 'astral', 'html', 'huge', 'empty'] as const;
/** One of {@link MUTATIONS}. */
export type Mutation = (typeof MUTATIONS)[number];

/**
 * What `mock.fuzz` takes: any number or word, the name of a preset, or the oddities that a `FuzzFailure` lists.
 *
 * @example
 * ```ts
 * const seed: FuzzSeed = ['ads.deliver imageUrl: null'];
 * const world = await mock.fuzz(seed);
 * ```
 */
export type FuzzSeed = string | number | readonly string[];

/**
 * A lens by name, or what a seed of `mock.fuzz` does to the fields of answers.
 *
 * @example
 * ```ts
 * const odd: Lens = { fuzz: 17 };
 * world.lens(odd);
 * ```
 */
export type Lens = LensName | { readonly fuzz: FuzzSeed };

/** A point in the space of legal answers, as `explore` tries them. */
export interface Point {
  /** By their names; `*: huge` stands for every field that may be huge. */
  readonly oddities: ReadonlySet<string>;
  /** Fields that are odd by chance: one in so many of those that may have these mutations. */
  readonly drawn?: { readonly mutations: readonly Mutation[]; readonly seed: number; readonly oneIn: number };
  /** Collects the oddities that were applied. */
  readonly seen?: Set<string>;
}
