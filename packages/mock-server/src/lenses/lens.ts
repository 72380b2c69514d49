/**
 * The same data as a different legal response: `sparse` leaves out every optional field and has null where allowed;
 * `maximal` leaves nothing out; `hostile` has text that breaks layouts and parsers; `unwrapped` has no success envelope
 * (api.md 4.8).
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

/** The ways to change a field of a response within its schema. */
export const MUTATIONS = ['absent', 'null', 'filled', 'rtl', 'astral', 'html', 'huge', 'empty'] as const;
/** One of {@link MUTATIONS}. */
export type Mutation = (typeof MUTATIONS)[number];

/**
 * What `mock.fuzz` takes: any number or string, the name of a preset, or the oddities that a `FuzzFailure` lists.
 *
 * @example
 * ```ts
 * const seed: FuzzSeed = ['ads.deliver imageUrl: null'];
 * const world = await mock.fuzz(seed);
 * ```
 */
export type FuzzSeed = string | number | readonly string[];

/**
 * A lens by name, or the changes that a seed of `mock.fuzz` makes to the fields of responses.
 *
 * @example
 * ```ts
 * const odd: Lens = { fuzz: 17 };
 * world.lens(odd);
 * ```
 */
export type Lens = LensName | { readonly fuzz: FuzzSeed };

/** A point in the space of legal responses that `explore` tries. */
export interface Point {
  /** By name; `*: huge` stands for every field that may be huge. */
  readonly oddities: ReadonlySet<string>;
  /** Fields that are odd at random: one in `oneIn` of those that may have these mutations. */
  readonly drawn?: { readonly mutations: readonly Mutation[]; readonly seed: number; readonly oneIn: number };
  /** Collects the oddities that were applied. */
  readonly seen?: Set<string>;
}
