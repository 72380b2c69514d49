import type { WorldOptions } from '../worlds/world.ts';

/**
 * Where to listen.
 *
 * @example
 * ```ts
 * const everywhere: ListenOptions = { host: '0.0.0.0', port: 4510 };
 * await mock.listen(everywhere);
 * ```
 */
export interface ListenOptions {
  /** 0, a free one, by default. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** How time runs in worlds that are made over HTTP and do not set it; called for each, by default virtual. */
  readonly worlds?: () => Pick<WorldOptions, 'pace' | 'start'>;
}

/**
 * A mock that listens.
 *
 * @example
 * ```ts
 * await using server: Listening = await mock.listen();
 * const answer = await fetch(`${server.url}/public/tags`);
 * ```
 */
export interface Listening {
  /** Base URL of the API, with the path of the mock's own. */
  readonly url: string;
  readonly port: number;
  /** Closes every connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
