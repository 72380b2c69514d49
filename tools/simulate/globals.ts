import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../prove/random.ts';

/**
 * Takes the randomness of this process from a seed. Hashes are computed at once instead of in other threads, whose
 * order nobody decides. Ids that no rule depends on, such as revisions, come from here, too.
 */
export function controlGlobals(): (seed: number) => void {
  let random: Random = createRandom(1);
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => random.below(256));
  Object.assign(crypto, {
    randomUUID: () => uuidFrom(random),
    getRandomValues: (array: Uint8Array) => {
      array.set(bytes(array.length));
      return array;
    },
  });
  Math.random = () => random.next();
  Object.assign(crypto.subtle, {
    digest: async (_: unknown, data: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(createHash('sha256').update(data).digest()).buffer,
  });
  return (seed) => {
    random = createRandom(seed).fork('globals');
  };
}

/** A random UUID (version 4). */
export function uuidFrom(random: Random): string {
  const hex = (count: number) => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
