/**
 * The same data as a different legal response: `sparse` leaves out every optional field and has null where allowed;
 * `maximal` leaves nothing out; `hostile` has text that breaks layouts and parsers; `unwrapped` has no success envelope
 * (api.md 4.8).
 */
export const LENSES = ['sparse', 'maximal', 'hostile', 'unwrapped'] as const;
/** The name of a lens. */
export type Lens = (typeof LENSES)[number];

/** The ways to change a field of a response within its schema. */
export const MUTATIONS = ['absent', 'null', 'filled', 'rtl', 'astral', 'emoji', 'html', 'huge', 'empty'] as const;
/** One of {@link MUTATIONS}. */
export type Mutation = (typeof MUTATIONS)[number];

/**
 * What `mock.fuzz` takes: any number or string, the name of a preset, or the variations that a `FuzzFailure` lists.
 */
export type FuzzSeed = string | number | readonly string[];

/** A point in the space of legal responses that `explore` tries. */
export interface Point {
  /** As a `FuzzFailure` lists them: `content: noPosts`, `ads.deliver imageUrl: null`. `*: huge` makes every text huge. */
  readonly variations: ReadonlySet<string>;
  /** The variations that it never has, with `*` for every index. */
  readonly without?: readonly string[];
  /** Fields that vary at random: one in `oneIn` of the fields that may have these mutations. */
  readonly drawn?: { readonly mutations: readonly Mutation[]; readonly seed: number; readonly oneIn: number };
  /** Collects the variations that were applied. */
  readonly seen?: Set<string>;
}
