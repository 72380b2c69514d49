import type { AnswerCache } from '@broadsheet/core';
import { createRandom, hash } from '../data/random.ts';
import { type BlogContent, sampleBlog } from '../data/sample-blog.ts';
import { fromFetch } from '../doors/answer.ts';
import type { Listening, ListenOptions } from '../doors/listening.ts';
import { type Http, mswHandlers } from '../doors/msw-handlers.ts';
import { asFetch, pageOf } from '../doors/page.ts';
import { type Checks, createWorld, type Written } from './create-world.ts';
import type { InnerMock, Mock, MockOptions } from './mock.ts';
import type { InnerWorld, WorldOptions } from './world.ts';

/** What the place where a mock runs gives to it. */
export interface Platform {
  readonly check: Checks;
  readonly written: Written;
  /** MSW's `http`. @throws Error when it cannot be had */
  msw(): Http;
  /** A part of the mock's cache of answers, for one world; a page does without. */
  readonly cache?: () => AnswerCache;
  /** Serves a mock over HTTP, where that can be. */
  listen?(mock: InnerMock, docsUrl: string, options: ListenOptions | undefined): Promise<Listening>;
}

/** Makes a mock for a platform. @throws TypeError for a base URL that is none */
export function makeMock(platform: Platform, options: MockOptions = {}): Mock {
  const { check } = platform;
  check.mock(options);
  const { baseUrl = 'https://mock.broadsheet.test', seed = 'broadsheet', main: first } = options;
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const base = origin + basePath;
  const { docsUrl = `${base}/docs` } = options;
  const byKey = new Map<string, InnerWorld>();
  const byName = new Map<string, InnerWorld>();
  let unnamed = 0;
  // Made once for each seed: worlds of one blog share it.
  const samples = new Map<string, BlogContent>();
  const sample = (of: string): BlogContent => {
    const made = samples.get(of) ?? sampleBlog(of);
    samples.set(of, made);
    return made;
  };

  const create = (worldOptions: WorldOptions): InnerWorld => {
    check.world(worldOptions);
    const name = worldOptions.name ?? `world-${++unnamed}`;
    const taken = byName.has(name) || (worldOptions.apiKey !== undefined && byKey.has(worldOptions.apiKey));
    if (taken) throw new Error(`mock.world: ${name} or its key is taken`);
    const world = createWorld(
      { ...worldOptions, name, seed: String(worldOptions.seed ?? seed) },
      { ...platform, baseUrl: base, basePath, docsUrl, sample, adopt: (apiKey) => void byKey.set(apiKey, world) },
    );
    for (const key of world.keys) byKey.set(key, world);
    byName.set(name, world);
    return world;
  };
  const main = create({ name: 'main', ...first });
  // Requests without a key are those of main; a key of no world must leave no trace there.
  byKey.set('', main);

  const exploring = () => import('../lenses/explore.ts');
  // What is loaded later gets chance and the sample from here: else they would be a file of their own.
  const worlds = () => ({ world: create, drop: mock.drop, sample: sample(String(seed)), createRandom, hash });
  const mock: InnerMock = {
    baseUrl: base,
    main,
    get connection() {
      return main.connection;
    },
    answer: (request, caller) =>
      (byKey.get(request.header('x-api-key') ?? '') ?? main.rehearsal()).answer(request, caller),
    worlds: byKey,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url.startsWith(`${base}/`)) return asFetch(await mock.answer(fromFetch(request), pageOf(request)));
      throw new TypeError(`mock.fetch: ${request.url} is not below ${base}; give createMock that base URL`);
    },
    world: (worldOptions = {}) => create(worldOptions),
    fuzz: async (fuzzSeed) => (await exploring()).fuzzWorld(worlds(), fuzzSeed),
    explore: async (use, exploreOptions) => (await exploring()).explore(worlds(), use, exploreOptions),
    drop(world) {
      if (world === main) throw new Error('mock.drop: main stays; reset it');
      const own = byName.get(world.name);
      // One of another mock may have the name of one of ours, and so may one that was dropped before.
      if (own !== world) return;
      const waiting = own.close();
      if (waiting[0]) console.warn(`mock.drop: ${world.name}: ${waiting.join(', ')}`);
      byName.delete(world.name);
      for (const [key, owner] of byKey) if (owner === world) byKey.delete(key);
    },
    handlers(handlerOptions = {}) {
      check.handlers(handlerOptions);
      return mswHandlers(mock, platform.msw(), handlerOptions);
    },
    async listen(listenOptions) {
      if (platform.listen) return platform.listen(mock, docsUrl, listenOptions);
      throw new Error('mock.listen: a page cannot listen; run broadsheet-mock');
    },
  };
  return mock;
}
