import { createRandom } from '../data/random.ts';
import type { Mixture } from './lens.ts';
import { MUTATIONS } from './mutations.ts';

/** The bit of a fuzz seed that takes the envelope away; the lower ones are the mutations. */
export const UNWRAPPED = 1 << MUTATIONS.length;
const LOOSEST = 4;

/** A point of the space of legal answers, as a `FuzzFailure` names it: mutations, density, chance. */
export interface Point {
  readonly bits: number;
  readonly oneIn: number;
  readonly seed: number;
}

/** The name of a point, such as `5.2.17`. */
export const nameOf = ({ bits, oneIn, seed }: Point): string => `${bits.toString(16)}.${oneIn}.${seed}`;

/** The point that a fuzz seed stands for. */
export function pointOf(seed: string | number): Point {
  const [, bits = '', oneIn, chance] = /^([0-9a-f]+)\.(\d)\.(\d+)$/.exec(String(seed)) ?? [];
  if (bits) return { bits: Number.parseInt(bits, 16), oneIn: Number(oneIn), seed: Number(chance) };
  const random = createRandom(`fuzz ${seed}`);
  return { bits: random.below(UNWRAPPED * 2), oneIn: 1 + random.below(LOOSEST), seed: random.below(1e6) };
}

/** The lens a fuzz seed stands for: any number, any word, or a name from a `FuzzFailure`. */
export function mixtureOf(fuzzSeed: string | number): Mixture {
  const { bits, oneIn, seed } = pointOf(fuzzSeed);
  return { mutations: MUTATIONS.filter((_, n) => bits & (1 << n)), unwrapped: (bits & UNWRAPPED) !== 0, seed, oneIn };
}
