import { type ApiOptions, type BlogApi, createApi, createMemoryStore, type MemoryStore } from '@broadsheet/core';
import { createHmac } from '../data/hmac.ts';
import { createRandom, hash, type SeededRandom } from '../data/random.ts';
import type { TokenLedger } from '../journal/token-ledger.ts';

/** The API of a world, and the same over a copy of it. */
export interface WorldApi {
  readonly api: BlogApi;
  /** Answers as the API would now and leaves no trace. */
  rehearsal(): BlogApi;
}

/** What the API of a world is made of. */
export interface WorldPorts extends Pick<ApiOptions, 'clock' | 'docsUrl' | 'basePath'> {
  readonly random: SeededRandom;
  readonly store: MemoryStore;
  readonly ledger: TokenLedger;
}

/** A test reads the same few pages again and again; what a world caches of them is small beside its blog. */
const READY_BYTES = 2 ** 20;

/** Creates the API of the world of this name. */
export function createWorldApi(name: string, { random, store, ledger, ...shared }: WorldPorts): WorldApi {
  const hmac = createHmac(`mock secret of ${name}`);
  const etagMark = hash(name).toString(36);
  return {
    api: createApi({
      ...shared,
      cache: { maxBytes: READY_BYTES },
      random,
      store: {
        ...ledger.watchStore(store),
        // Every world counts its revisions from one: without its mark the ETag of one would pass in another.
        findBlog(key) {
          const found = store.findBlog(key);
          return found && { ...found, revision: `${etagMark}-${found.revision}` };
        },
      },
      hmac,
      around: [ledger.watchDelivery],
    }),
    rehearsal() {
      const copy = createMemoryStore();
      copy.restore(store.snapshot());
      const chance = createRandom(0);
      chance.load(random.save());
      return createApi({ ...shared, random: chance, store: copy, hmac });
    },
  };
}
