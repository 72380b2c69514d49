import type { Caller } from '@broadsheet/core';
import type { HttpHandler } from 'msw';
import { fromFetch, type WorldAnswer, type WorldRequest } from './answer.ts';
import { createWorld } from './create-world.ts';
import { type Http, mswHandlers } from './doors/msw-handlers.ts';
import { asFetch, pageOf } from './doors/page.ts';
import type { Listening, ListenOptions } from './http/listen.ts';
import type { ExploreOptions } from './lens/fuzz.ts';
import type { InnerWorld, World, WorldOptions } from './world.ts';

/**
 * What a mock is made of; every part has a default.
 *
 * @example
 * ```ts
 * const options: MockOptions = { baseUrl: 'https://api.example', seed: 'harbour', main: { pace: 'real' } };
 * const mock = createMock(options);
 * ```
 */
export interface MockOptions {
  /** Where the API seems to live; `https://mock.broadsheet.test` by default. May end in a path. */
  readonly baseUrl?: string;
  /** Decides all data and every chance event. */
  readonly seed?: string | number;
  /** Errors link to `{docsUrl}/errors/{code}`. */
  readonly docsUrl?: string;
  /** The world that comes with the mock. */
  readonly main?: Omit<WorldOptions, 'seed'>;
}

/**
 * The API as a mock: one object, every door.
 *
 * @example
 * ```ts
 * const client = (mock: Mock) => createClient({ ...mock.connection, fetch: mock.fetch });
 * ```
 */
export interface Mock {
  readonly baseUrl: string;
  /** The world that comes with the mock, for those who need but one. */
  readonly main: World;
  /** `main.connection`. */
  readonly connection: World['connection'];
  /** Answers without a network: hand it to a client as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** A new private world. @throws Error when the name is taken */
  world(options?: WorldOptions): World;
  /** A new world whose answers are legal but as odd as the seed says; the same seed, the same oddities. */
  fuzz(seed: string | number): World;
  /**
   * Runs a render, or anything that asks the API, through many such worlds. The first failure is shrunk to the fewest
   * oddities that still cause it.
   *
   * @example
   * ```ts
   * await mock.explore(async (world) => renderHome(createClient({ ...world.connection, fetch: mock.fetch })));
   * ```
   * @throws FuzzFailure with the seed for `fuzz`
   */
  explore(use: (world: World) => unknown, options?: ExploreOptions): Promise<void>;
  /** Forgets a world: its key answers 401 from now on. @throws Error for `main` */
  drop(world: World): void;
  /**
   * The handlers of MSW (2.10 or later, 3): one per endpoint, which answers its `OPTIONS` and refuses other methods as
   * well. Other paths stay unhandled, unless `unknown` is `'answer'` (404, as the server would).
   *
   * @example
   * ```ts
   * const server = setupServer(...mock.handlers());
   * server.listen({ onUnhandledFrame: 'error' });
   * ```
   * @throws Error when MSW is not installed
   */
  handlers(options?: { readonly unknown?: 'leave' | 'answer' }): HttpHandler[];
  /** Serves the API over HTTP, in Node alone. */
  listen(options?: ListenOptions): Promise<Listening>;
}

/** A mock as the doors use it. */
export interface InnerMock extends Mock {
  answer(request: WorldRequest, caller?: Caller): Promise<WorldAnswer>;
  find(apiKey: string): InnerWorld | undefined;
}

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

  const create = (wish: WorldOptions): InnerWorld => {
    const name = wish.name ?? `world-${++unnamed}`;
    const taken = byName.has(name) || (wish.apiKey !== undefined && byKey.has(wish.apiKey));
    if (taken)
      throw new Error(
        `mock.world: the name ${JSON.stringify(name)} or its key is taken; drop that world or choose another`,
      );
    const world = createWorld(
      { ...wish, name, seed: String(wish.seed ?? seed) },
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
    world: (wish = {}) => create(wish),
    fuzz(fuzzSeed) {
      const world = create({});
      world.lens({ fuzz: fuzzSeed });
      return world;
    },
    async explore(use, wish = {}) {
      const open = (fuzzSeed: string) => {
        const world = mock.fuzz(fuzzSeed);
        return { world, close: () => mock.drop(world) };
      };
      const { explore } = await import('./lens/fuzz.ts');
      return explore(open, use, wish);
    },
    drop(world) {
      if (world === main) throw new Error('mock.drop: main stays; reset it');
      byName.delete(world.name);
      for (const [key, owner] of byKey) if (owner === world) byKey.delete(key);
    },
    handlers: (wish = {}) => mswHandlers(mock, platform.msw(), wish),
    async listen(wish) {
      if (platform.listen) return platform.listen(mock, wish);
      throw new Error('mock.listen: a page cannot listen; run broadsheet-mock');
    },
  };
  return mock;
}
