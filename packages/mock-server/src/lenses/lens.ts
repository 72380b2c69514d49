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
 * A lens taken apart.
 *
 * @example
 * ```ts
 * const halfSparse: Mixture = { mutations: ['absent', 'null'], unwrapped: false, seed: 1, oneIn: 2 };
 * world.lens(halfSparse);
 * ```
 */
export interface Mixture {
  readonly mutations: readonly Mutation[];
  readonly unwrapped: boolean;
  readonly seed: number;
  /** Each place is touched with a chance of one in this many; 1 touches all of them. */
  readonly oneIn: number;
}

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
 * A lens by name, a mixture, or what a seed of `mock.fuzz` does to the fields of answers.
 *
 * @example
 * ```ts
 * const odd: Lens = { fuzz: 17 };
 * world.lens(odd);
 * ```
 */
export type Lens = LensName | Mixture | { readonly fuzz: FuzzSeed };

/** What `explore` looks through: it chooses each oddity by its name, and learns which ones came to be seen. */
export interface ChosenOddities {
  chooses(oddity: string): boolean;
  applied?(oddity: string): void;
}
