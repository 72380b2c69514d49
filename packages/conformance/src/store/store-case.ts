import type { Store } from '@broadsheet/core';
import { type PlainStore, plain } from './plain-store.ts';

/** Gives an empty store, apart from every other one it gave. */
export type OpenStore = () => Promise<{ readonly store: Store }>;

/** One promise of the Store port and the check of it. */
export interface StoreCase {
  /** The promise, as a sentence. */
  readonly name: string;
  /** Rejects with a {@link Disagreement} when the store breaks the promise. */
  run(open: OpenStore): Promise<void>;
}

/** A case that needs one empty store. */
export function storeCase(name: string, check: (store: PlainStore) => Promise<void>): StoreCase {
  return {
    name,
    async run(open) {
      const { store } = await open();
      await check(plain(store));
    },
  };
}
