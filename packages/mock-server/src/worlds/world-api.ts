import {
  type ApiOptions,
  type Around,
  type BlogApi,
  createApi,
  createMemoryStore,
  type Hmac,
  type MemoryStore,
} from '@broadsheet/core';
import { createRandom, hash, type SeededRandom } from '../data/random.ts';
import type { BodyStream } from '../doors/answer.ts';

/** The API of a world, and the same over a copy of it. */
export interface WorldApi {
  readonly api: BlogApi<BodyStream>;
  /** Answers as the API would now and leaves no trace. */
  rehearsal(): BlogApi;
}

/** What the API of a world is made of. */
export interface WorldPorts extends Pick<ApiOptions, 'clock' | 'docsUrl' | 'basePath' | 'cache'> {
  readonly random: SeededRandom;
  readonly store: MemoryStore;
  /** What surrounds a call, outermost first. */
  readonly around: readonly Around<BodyStream>[];
}

/** Creates the API of the world of this name. */
export function createWorldApi(name: string, { random, store, around, cache, ...shared }: WorldPorts): WorldApi {
  let opened: Promise<Hmac> | undefined;
  // Loaded with the first ad: most tests show none.
  const hmac: Hmac = async (text) => {
    opened ??= import('../data/hmac.ts').then(({ createHmac }) => createHmac(`mock secret of ${name}`));
    return (await opened)(text);
  };
  const etagMark = hash(name).toString(36);
  const rehearsal = () => {
    const copy = createMemoryStore();
    copy.restore(store.snapshot());
    const chance = createRandom(0);
    chance.load(random.save());
    return createApi({ ...shared, random: chance, store: copy, hmac });
  };
  return {
    rehearsal,
    api: createApi<BodyStream>({
      ...shared,
      random,
      hmac,
      around,
      cache,
      store: {
        ...store,
        // Every world counts its revisions from one: without its mark the ETag of one would pass in another.
        findBlog(key) {
          const found = store.findBlog(key);
          return found && { ...found, revision: `${etagMark}-${found.revision}` };
        },
      },
    }),
  };
}
