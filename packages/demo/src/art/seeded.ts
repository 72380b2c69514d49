/** Chance that always falls the same way for one seed: a picture is drawn alike on every machine. */
export interface Seeded {
  /** A number in `[low, high)`. */
  between(low: number, high: number): number;
  /** A whole number in `[low, high]`. */
  whole(low: number, high: number): number;
  /** `true` once in `1 / share` times. */
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Chance from the letters of a word (FNV-1a feeds mulberry32). */
export function seeded(word: string): Seeded {
  let state = 0x811c9dc5;
  for (const letter of word) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // The first numbers of neighbouring words resemble each other.
  next();
  next();
  const between = (low: number, high: number): number => low + next() * (high - low);
  const whole = (low: number, high: number): number => Math.floor(between(low, high + 1));
  return {
    between,
    whole,
    chance: (share) => next() < share,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
  };
}
