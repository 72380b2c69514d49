import type { Clock } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Logger } from './ops/log.ts';
import type { Measures } from './ops/metrics.ts';

/** How {@link createServer} is set up. Only the store is needed. */
export interface ServerOptions {
  /** Where the blogs live; the caller opens it and, after the server is closed, closes it. */
  readonly store: ServerStore;
  /** 4500 by default; 0 takes a free one. */
  readonly port?: number;
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /**
   * Keeps `/metrics`, `/docs`, `/openapi.json` and `/llms.txt` to another port, on `127.0.0.1` unless a host is given;
   * health is at both.
   */
  readonly ops?: { readonly port: number; readonly host?: string } | undefined;
  /** The address clients know the server by, behind a proxy for one; the one it listens on by default. */
  readonly publicUrl?: string | undefined;
  /** Where the error pages are (`${docsUrl}/errors/CODE`); `publicUrl` by default, for the server has them itself. */
  readonly docsUrl?: string | undefined;
  /** Signs click tokens and keys the hash of visitors; by default the one stored in the database. */
  readonly secret?: string | undefined;
  /** How many proxies stand before the server and append to `X-Forwarded-For`; 0 by default: the header is not read. */
  readonly trustProxy?: number;
  /** How many requests a second are answered to one key, and to one address; unlimited by default. */
  readonly rateLimits?: RateLimits;
  /** Bytes of ready answers to keep in memory; 64 MiB by default. */
  readonly cacheBytes?: number;
  /** Silent by default. */
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Further measures for `/metrics`, by name: the names are the same at every call. */
  readonly measures?: Measures;
  /**
   * Lets the HTTP adapter replace the process's `Request` and `Response` by lighter ones, about twice as fast. `false`
   * by default, for an embedding program may not expect it; the `broadsheet` command says `true`.
   */
  readonly lightGlobals?: boolean;
  /** Pages of the embedder's own, tried before the API; `undefined` passes the request on. */
  readonly extraRoutes?: (request: Request) => Response | Promise<Response> | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Where what `ServerOptions.ops` keeps to another port is, if it does. */
  readonly opsUrl?: string;
  /**
   * Stops accepting, finishes what is in flight (ten seconds at most), and resolves. The store stays open.
   *
   * @param options.behindProxy Whether a proxy balances between several servers. The stop then takes two seconds at
   * least, and leaves idle connections to the proxy for seven: one that is closed under its next request fails it.
   */
  close(options?: { readonly behindProxy?: boolean }): Promise<void>;
}
