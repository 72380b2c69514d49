/** Random numbers that a seed repeats (mulberry32). */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, at least 0 and less than `count`. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns true with this probability. */
  chance(share: number): boolean;
  /** Another source, which does not depend on how often this one is used. */
  fork(name: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    chance: (share) => next() < share,
    fork: (name) =>
      createRandom([...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), seed)),
  };
}
