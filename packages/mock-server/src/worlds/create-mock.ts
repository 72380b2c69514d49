import { LIMITS } from '@broadsheet/contract';
import { type AnswerCache, bearerToken, VIEWABLE_PATH } from '@broadsheet/core';
import { type BlogContent, sampleBlog } from '../data/sample-blog.ts';
import { asFetch, fromFetch, pageOf, type WorldAnswer, type WorldRequest } from '../doors/answer.ts';
import type { Http } from '../doors/find-msw.ts';
import { mswHandlers } from '../doors/msw.ts';
import { check } from './checks.ts';
import { createWorld } from './create-world.ts';
import type { InnerMock, Listening, ListenOptions, Mock, MockOptions } from './mock.ts';
import type { World, WorldOptions } from './world.ts';
import type { InnerWorld } from './world-api.ts';
import type { MockContext } from './world-context.ts';

/** What differs between Node and a browser. */
export interface Platform {
  /** MSW's `http`. @throws Error when it is not available */
  msw(): Http;
  /** Caches the responses of all worlds; a page has no cache. */
  readonly cache?: AnswerCache;
  /** Serves a mock over HTTP, only in Node. */
  listen?(mock: InnerMock, docsUrl: string, options: ListenOptions): Promise<Listening>;
}

/** Creates a mock for a platform. @throws TypeError for an invalid base URL */
export function makeMock(platform: Platform, options: MockOptions = {}): Mock {
  check('createMock', options);
  const { baseUrl = 'https://mock.broadsheet.test', seed = 'broadsheet' } = options;
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const base = origin + basePath;
  const { docsUrl = `${base}/docs` } = options;
  const worlds = openWorlds({ baseUrl: base, basePath, docsUrl, cache: platform.cache }, String(seed));
  const { byKey } = worlds;
  const main = worlds.create({ name: 'main', ...options.main });
  // Requests without a key go to main; those with an unknown key must leave no trace there.
  byKey.set('', main);
  const drop = (world: World) => {
    if (world === main) throw new Error('mock.drop: main cannot be dropped; reset it');
    worlds.drop(world);
  };

  const exploring = () => import('../lenses/explore.ts');
  const explored = () => ({ world: worlds.create, drop, sample: worlds.sample(String(seed)) });
  const mock: InnerMock = {
    baseUrl: base,
    main,
    get connection() {
      return main.connection;
    },
    respond(request, caller) {
      const key = request.header('x-api-key') ?? bearerToken(request) ?? '';
      const world = byKey.get(key);
      if (key === '' && request.url.includes(VIEWABLE_PATH)) return respondToBeacon([main, ...byKey.values()], request);
      return world ? world.respond(request, caller) : main.rehearsal().answer(request, caller);
    },
    worlds: byKey,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url.startsWith(`${base}/`)) return asFetch(await mock.respond(fromFetch(request), pageOf(request)));
      throw new TypeError(`mock.fetch: ${request.url} is not below ${base}`);
    },
    world: (worldOptions = {}) => worlds.create(worldOptions),
    fuzz: async (fuzzSeed) => (await exploring()).fuzzWorld(explored(), fuzzSeed),
    async explore(use, exploreOptions = {}) {
      check('mock.explore', exploreOptions);
      await (await exploring()).explore(explored(), use, exploreOptions);
    },
    drop,
    handlers(handlerOptions = {}) {
      check('mock.handlers', handlerOptions);
      return mswHandlers(mock, platform.msw(), handlerOptions);
    },
    async listen(listenOptions = {}) {
      if (platform.listen) return platform.listen(mock, docsUrl, listenOptions);
      throw new Error('mock.listen() is not available in the browser; run broadsheet-mock');
    },
  };
  return mock;
}

/** A beacon has no key, so every world that issued tokens gets it, and counts its own. */
async function respondToBeacon(all: readonly InnerWorld[], beacon: WorldRequest): Promise<WorldAnswer> {
  const [main, ...others] = new Set(all);
  const bytes = await beacon.body(LIMITS.body);
  const issuers = others.filter(({ context }) => context.tokens.tokens.length > 0);
  const respond = (world: InnerWorld) => world.respond({ ...beacon, body: async () => bytes });
  await Promise.all(issuers.map(respond));
  return respond(main as InnerWorld);
}

/** The worlds of a mock: creates and drops them, and finds them by key. */
function openWorlds(shared: Omit<MockContext, 'sample' | 'adopt'>, seed: string) {
  const byKey = new Map<string, InnerWorld>();
  const byName = new Map<string, InnerWorld>();
  // Created once per seed: worlds of one blog share it.
  const samples = new Map<string, BlogContent>();
  let unnamed = 0;
  const sample = (of: string): BlogContent => {
    const made = samples.get(of) ?? sampleBlog(of);
    samples.set(of, made);
    return made;
  };
  const adopt = (apiKey: string, name: string) => {
    const world = byName.get(name);
    if (world) byKey.set(apiKey, world);
  };
  return {
    byKey,
    sample,
    create(options: WorldOptions): InnerWorld {
      check('mock.world', options);
      const name = options.name ?? `world-${++unnamed}`;
      const taken = byName.has(name) || (options.apiKey !== undefined && byKey.has(options.apiKey));
      if (taken) throw new Error(`mock.world: ${name} or its key is taken`);
      const world = createWorld({ ...shared, sample, adopt }, { ...options, name, seed: String(options.seed ?? seed) });
      byName.set(name, world);
      for (const key of world.context.content.keys) adopt(key, name);
      return world;
    },
    drop(world: World) {
      const own = byName.get(world.name);
      // A world of another mock, or one that was dropped before, may have the same name.
      if (own !== world) return;
      const waiting = own.close();
      if (waiting.length > 0) console.warn(`mock.drop: ${world.name}: ${waiting.join(', ')}`);
      byName.delete(world.name);
      for (const [key, owner] of byKey) if (owner === world) byKey.delete(key);
    },
  };
}
