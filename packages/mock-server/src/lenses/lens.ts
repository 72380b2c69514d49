/**
 * The same data as a different legal response: `sparse` leaves out every optional field and has null where allowed;
 * `maximal` leaves nothing out; `hostile` has text that breaks layouts and parsers; `unwrapped` has no success envelope
 * (api.md 4.8).
 */
export const LENSES = ['sparse', 'maximal', 'hostile', 'unwrapped'] as const;
/** The name of a lens. */
export type LensName = (typeof LENSES)[number];

/** The ways to change a field of a response within its schema. */
export const MUTATIONS = ['absent', 'null', 'filled', 'rtl', 'astral', 'emoji', 'html', 'huge', 'empty'] as const;
/** One of {@link MUTATIONS}. */
export type Mutation = (typeof MUTATIONS)[number];

/**
 * What `mock.fuzz` takes: any number or string, the name of a preset, or the variations that a `FuzzFailure` lists.
 */
export type FuzzSeed = string | number | readonly string[];

/** A lens by name, or the changes that a seed of `mock.fuzz` makes to the fields of responses. */
export type Lens = LensName | { readonly fuzz: FuzzSeed };

/** A point in the space of legal responses that `explore` tries. */
export interface Point {
  /** By name; `*: huge` stands for every field that may be huge. */
  readonly variations: ReadonlySet<string>;
  /** The variations that it never has, with `*` for every index. */
  readonly without?: readonly string[];
  /** Fields that vary at random: one in `oneIn` of those that may have these mutations. */
  readonly drawn?: { readonly mutations: readonly Mutation[]; readonly seed: number; readonly oneIn: number };
  /** Collects the variations that were applied. */
  readonly seen?: Set<string>;
}
