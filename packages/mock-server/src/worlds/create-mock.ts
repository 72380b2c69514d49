import { fromFetch } from '../doors/answer.ts';
import type { Listening, ListenOptions } from '../doors/listening.ts';
import { type Http, mswHandlers } from '../doors/msw-handlers.ts';
import { asFetch, pageOf } from '../doors/page.ts';
import { createWorld } from './create-world.ts';
import type { InnerMock, Mock, MockOptions } from './mock.ts';
import type { InnerWorld, WorldOptions } from './world.ts';

/** What the place where a mock runs gives to it. */
export interface Platform {
  /** MSW's `http`. @throws Error when it cannot be had */
  msw(): Http;
  /** Serves a mock over HTTP, where that can be. */
  listen?(mock: InnerMock, options: ListenOptions | undefined): Promise<Listening>;
}

/** Makes a mock for a platform. @throws TypeError for a base URL that is none */
export function makeMock(platform: Platform, options: MockOptions = {}): Mock {
  const { baseUrl = 'https://mock.broadsheet.test', seed = 'broadsheet', main: first } = options;
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(
      `createMock: baseUrl is ${JSON.stringify(baseUrl)}; write a whole URL such as https://api.example.com`,
    );
  }
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const base = origin + basePath;
  const { docsUrl = `${base}/docs` } = options;
  const byKey = new Map<string, InnerWorld>();
  const byName = new Map<string, InnerWorld>();
  let unnamed = 0;

  const create = (worldOptions: WorldOptions): InnerWorld => {
    const name = worldOptions.name ?? `world-${++unnamed}`;
    const taken = byName.has(name) || (worldOptions.apiKey !== undefined && byKey.has(worldOptions.apiKey));
    if (taken)
      throw new Error(
        `mock.world: the name ${JSON.stringify(name)} or its key is taken; drop that world or choose another`,
      );
    const world = createWorld(
      { ...worldOptions, name, seed: String(worldOptions.seed ?? seed) },
      { baseUrl: base, basePath, docsUrl, adopt: (apiKey) => void byKey.set(apiKey, world) },
    );
    byKey.set(world.apiKey, world);
    byName.set(name, world);
    return world;
  };
  const main = create({ name: 'main', ...first });
  // Requests without a key are those of main; a key of no world must leave no trace there.
  byKey.set('', main);

  const mock: InnerMock = {
    baseUrl: base,
    main,
    get connection() {
      return main.connection;
    },
    answer: (request, caller) =>
      (byKey.get(request.header('x-api-key') ?? '') ?? main.rehearsal()).answer(request, caller),
    find: (apiKey) => byKey.get(apiKey),
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url.startsWith(`${base}/`)) return asFetch(await mock.answer(fromFetch(request), pageOf(request)));
      throw new TypeError(
        `mock.fetch: ${request.url} is not below ${base}; give createMock the base URL of your client`,
      );
    },
    world: (worldOptions = {}) => create(worldOptions),
    fuzz(fuzzSeed) {
      const world = create({});
      world.lens({ fuzz: fuzzSeed });
      return world;
    },
    async explore(use, exploreOptions) {
      const { explore } = await import('../lenses/explore.ts');
      return explore(mock, use, exploreOptions);
    },
    drop(world) {
      if (world === main) throw new Error('mock.drop: main stays; reset it');
      byName.delete(world.name);
      for (const [key, owner] of byKey) if (owner === world) byKey.delete(key);
    },
    handlers: (handlerOptions = {}) => mswHandlers(mock, platform.msw(), handlerOptions),
    async listen(listenOptions) {
      if (platform.listen) return platform.listen(mock, listenOptions);
      throw new Error('mock.listen: a page cannot listen; run broadsheet-mock');
    },
  };
  return mock;
}
