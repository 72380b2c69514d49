import type { Store } from '@broadsheet/core';
import { type PlainStore, plain } from './plain-store.ts';

/** Opens an empty store that shares nothing with the others. */
export type OpenStore = () => Promise<{ readonly store: Store }>;

/** One rule of the Store port and its check. */
export interface StoreCase {
  /** The rule, as a sentence. */
  readonly name: string;
  /** Rejects with a {@link Disagreement} when the store breaks the rule. */
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
