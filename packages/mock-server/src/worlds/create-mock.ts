import { LIMITS, type SnapshotBlogInput, type SnapshotInput } from '@broadsheet/contract';
import { bearerToken, buffered, type ResponseCache, VIEWABLE_PATH } from '@broadsheet/core';
import { type BlogContent, sampleBlog } from '../data/sample-blog.ts';
import { type Msw, mswHandlers } from '../doors/msw.ts';
import { asFetch, fromFetch, pageOf, type WorldRequest, type WorldResponse } from '../doors/response.ts';
import { ANY, check, IP, type OptionRules, ORIGIN, PACE } from './checks.ts';
import { keysOf } from './content.ts';
import { createWorld, type InnerWorld } from './create-world.ts';
import type { InnerMock, Listening, ListenOptions, Mock, MockOptions } from './mock.ts';
import type { World, WorldOptions } from './world.ts';
import type { MockContext } from './world-context.ts';

/** The parts that differ between Node and a browser. */
export interface Platform {
  /** The parts of MSW that handlers need. @throws Error when it is not available */
  msw(): Msw;
  /** Caches the responses of all worlds; a page has no cache. */
  readonly cache?: ResponseCache;
  /** Serves a mock over HTTP, only in Node. */
  listen?(mock: InnerMock, options: ListenOptions): Promise<Listening>;
}

const MOCK: OptionRules<MockOptions> = {
  baseUrl: ['an absolute URL', (value) => URL.canParse(String(value))],
  seed: ANY,
  main: ANY,
};
const WORLD: OptionRules<WorldOptions> = {
  name: ANY,
  seed: ANY,
  blog: [
    'one blog, or a snapshot of one',
    (value) => ((value as Partial<SnapshotInput> | null)?.blogs ?? [value]).length === 1,
  ],
  apiKey: ANY,
  start: ANY,
  pace: PACE,
  ip: IP,
  origin: ORIGIN,
};

/** Creates a mock for a platform. @throws TypeError for an invalid base URL */
export function makeMock(platform: Platform, options: MockOptions = {}): Mock {
  check('createMock', options, MOCK);
  const { seed = 'broadsheet' } = options;
  const { origin, pathname } = new URL(options.baseUrl ?? 'https://mock.broadsheet.test');
  const basePath = pathname.replace(/\/$/, '');
  const baseUrl = origin + basePath;
  const urls = { baseUrl, basePath, docsUrl: `${baseUrl}/docs` };
  const worlds = openWorlds({ ...urls, cache: platform.cache }, String(seed));
  const { byKey } = worlds;
  const main = worlds.create({ name: 'main', ...options.main });
  // Requests without a key go to main; those with an unknown key must leave no trace there.
  byKey.set('', main);
  const drop = (world: World) => {
    if (world === main.world) throw new Error('mock.drop: main cannot be dropped; reset it');
    worlds.drop(world);
  };

  const exploring = () => import('../lenses/explore.ts');
  const mock: InnerMock = {
    ...urls,
    main: main.world,
    connection: main.world.connection,
    async respond(request, caller) {
      if (request.method === 'POST' && request.url.includes(VIEWABLE_PATH))
        return respondToBeacon(main, byKey, request);
      const world = byKey.get(request.header('x-api-key') ?? bearerToken(request) ?? '');
      return world ? world.respond(request, caller) : buffered(await main.rehearsal().handle(request, caller));
    },
    worlds: byKey,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url.startsWith(`${baseUrl}/`))
        return asFetch(await mock.respond(fromFetch(request), pageOf(request)));
      throw new TypeError(`mock.fetch: ${request.url} is not below ${baseUrl}`);
    },
    world: (worldOptions = {}) => worlds.create(worldOptions).world,
    fuzz: async (fuzzSeed) => (await exploring()).fuzzWorld(worlds, fuzzSeed),
    explore: async (use, exploreOptions) => (await exploring()).explore(worlds, use, exploreOptions),
    drop,
    handlers: () => mswHandlers(mock, platform.msw()),
    async listen(listenOptions = {}) {
      if (platform.listen) return platform.listen(mock, listenOptions);
      throw new Error('mock.listen() is not available in the browser; run broadsheet-mock');
    },
  };
  return mock;
}

/** A beacon names no world: each world counts its own tokens, as a server counts the tokens of every blog. */
async function respondToBeacon(
  main: InnerWorld,
  byKey: ReadonlyMap<string, InnerWorld>,
  beacon: WorldRequest,
): Promise<WorldResponse> {
  const bytes = await beacon.body(LIMITS.body);
  const respond = (world: InnerWorld) => world.respond({ ...beacon, body: async () => bytes });
  const others = [...new Set(byKey.values())].filter((world) => world !== main);
  await Promise.all(others.filter(({ context }) => context.tokens.length > 0).map(respond));
  return respond(main);
}

/** The worlds of a mock: creates and drops them, and finds them by key. */
function openWorlds(shared: Omit<MockContext, 'route'>, seed: string) {
  const byKey = new Map<string, InnerWorld>();
  const byName = new Map<string, InnerWorld>();
  // Created once per seed: worlds of one blog share it.
  const samples = new Map<string, BlogContent>();
  let unnamed = 0;
  const sample = (of = seed): BlogContent => {
    const made = samples.get(of) ?? sampleBlog(of);
    samples.set(of, made);
    return made;
  };
  const route: MockContext['route'] = (token, context) => {
    const own = byName.get(context.name);
    // A world that was dropped gets no requests.
    if (own?.context === context) byKey.set(token, own);
  };
  return {
    byKey,
    sample,
    create(options: WorldOptions): InnerWorld {
      check('mock.world', options, WORLD);
      const name = options.name ?? `world-${++unnamed}`;
      if (byName.has(name)) throw new Error(`mock.world: the name ${name} is taken`);
      const worldSeed = String(options.seed ?? seed);
      const given = options.blog ?? sample(worldSeed);
      const blog = ('blogs' in given ? given.blogs[0] : given) as SnapshotBlogInput;
      const keys = keysOf(name, blog, options.apiKey);
      const taken = keys.find((key) => byKey.has(key));
      if (taken !== undefined) {
        const advice = 'drop that world, or pass another apiKey, or a blog without apiKeys';
        throw new Error(`mock.world: the key ${taken} belongs to ${byKey.get(taken)?.world.name}; ${advice}`);
      }
      const world = createWorld({ ...shared, route }, { ...options, name, seed: worldSeed, blog, keys });
      byName.set(name, world);
      for (const key of keys) byKey.set(key, world);
      return world;
    },
    drop(world: World) {
      const own = byName.get(world.name);
      // A world of another mock, or one that was dropped before, may have the same name.
      if (own?.world !== world) return;
      const waiting = own.close();
      if (waiting.length > 0) console.warn(`mock.drop: ${world.name}: ${waiting.join(', ')}`);
      byName.delete(world.name);
      for (const [key, owner] of byKey) if (owner === own) byKey.delete(key);
    },
  };
}
