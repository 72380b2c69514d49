import type { Caller } from '@broadsheet/core';
import type { HttpHandler } from 'msw';
import type { WorldRequest, WorldResponse } from '../doors/response.ts';
import type { ExploreOptions } from '../lenses/explore.ts';
import type { FuzzSeed } from '../lenses/lens.ts';
import type { Pace } from '../time/clock.ts';
import type { InnerWorld } from './create-world.ts';
import type { Connection, World, WorldOptions } from './world.ts';
import type { MockContext } from './world-context.ts';

/** The options of a mock; each has a default. */
export interface MockOptions {
  /** The base URL of the mocked API; `https://mock.broadsheet.test` by default. It may have a path. */
  readonly baseUrl?: string;
  /** Decides all data and every random choice. */
  readonly seed?: string | number;
  /** The world that comes with the mock. */
  readonly main?: Omit<WorldOptions, 'seed'>;
}

/** The API as a mock: one object for every adapter. */
export interface Mock {
  readonly baseUrl: string;
  /** The world that comes with the mock, for tests that need only one. */
  readonly main: World;
  /** `main.connection`. */
  readonly connection: Connection;
  /** Responds without a network: pass it to a client as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** A new private world. @throws Error when its name or one of its keys is taken */
  world(options?: WorldOptions): World;
  /**
   * A new world whose blog and responses vary in every legal way, as the seed decides; the same seed gives the same variations.
   * Presets: `empty`, `one` (of everything), `lastPage` (full, with no next page), `noAds`, `longest` (texts).
   *
   * @throws RangeError for an unknown variation
   */
  fuzz(seed: FuzzSeed): Promise<World>;
  /**
   * Runs a render, or any code that calls the API, in many such worlds. The first failure is shrunk to the fewest
   * variations in the fewest places that still cause it.
   * @throws FuzzFailure that names endpoint, field and value, with the seed for `fuzz`
   */
  explore(use: (world: World) => unknown, options?: ExploreOptions): Promise<void>;
  /** Drops a world: requests with its key get 401 from now on. @throws Error for `main` */
  drop(world: World): void;
  /**
   * The handlers for MSW (2.10 or later, 3): one per endpoint, which also handles `OPTIONS` and refuses other methods.
   * Other paths stay unhandled.
   * @throws Error when MSW is not installed
   */
  handlers(): HttpHandler[];
  /** Serves the API over HTTP, only in Node. */
  listen(options?: ListenOptions): Promise<Listening>;
}

/** Where to listen. */
export interface ListenOptions {
  /** 0 by default, which selects a free port. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** Origins, besides those of this machine, whose pages may control the mock; their hosts are allowed as well. */
  readonly allowOrigins?: readonly string[];
  /** How time passes in worlds created over HTTP; `'real'` starts at the current time. A world may set its own pace. */
  readonly pace?: Pace;
}

/** A mock that listens. */
export interface Listening {
  /** Base URL of the API, with the path of the mock's base URL. */
  readonly url: string;
  readonly port: number;
  /** Closes every connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A mock as the adapters use it. */
export interface InnerMock extends Mock, Pick<MockContext, 'basePath' | 'docsUrl'> {
  respond(request: WorldRequest, caller?: Caller): Promise<WorldResponse>;
  /** Every world by each of its keys; the empty key belongs to main. */
  readonly worlds: ReadonlyMap<string, InnerWorld>;
}
