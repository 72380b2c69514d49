import type { Mutation } from './mutations.ts';

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

/**
 * A lens taken apart: what `mock.fuzz` mixes.
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
 * A lens by name, a mixture, or the mixture that a seed of `mock.fuzz` stands for.
 *
 * @example
 * ```ts
 * const odd: Lens = { fuzz: 17 };
 * world.lens(odd);
 * ```
 */
export type Lens = LensName | Mixture | { readonly fuzz: string | number };
