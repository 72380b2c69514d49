import type { Random } from '@broadsheet/core';

/** Repeatable random numbers: the same seed gives the same sequence, and its state can be saved. */
export interface SeededRandom extends Random {
  /** One of the items. @throws RangeError for an empty list */
  pick<T>(items: readonly T[]): T;
  /** `true` once in `n` calls on average. */
  oneIn(n: number): boolean;
  /** The current state of the sequence, from which {@link resumeRandom} continues it. */
  save(): number;
}

/** Starts a sequence. Uses neither `Math.random` nor WebCrypto, so it is the same on every engine. */
export const createRandom = (seed: string | number): SeededRandom => resumeRandom(hash(String(seed)));

/** Continues a sequence. */
export function resumeRandom(state: number): SeededRandom {
  /** splitmix32: 32 bits per call, and the state is a single number. */
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const hex = (): string => next().toString(16).padStart(8, '0');
  const below = (bound: number): number => Math.floor((next() / 0x1_0000_0000) * bound);
  return {
    below,
    uuid() {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
    pick(items) {
      if (items.length === 0) throw new RangeError('the list is empty');
      return items[below(items.length)] as (typeof items)[number];
    },
    oneIn: (n) => below(n) === 0,
    save: () => state,
  };
}

/** FNV-1a over the code units: spreads seeds that differ in one letter. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
