import type { Random } from '../ports.ts';

/** A small linear congruential generator: picks must not depend on the quality of the random numbers. */
export function seeded(seed: number): Random {
  let state = seed;
  return {
    uuid: () => '',
    below(bound: number) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * bound);
    },
  };
}
