import type { Clock } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import type { TrustedProxies } from './door/node.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Logger } from './ops/log.ts';
import type { Measures } from './ops/metrics.ts';

/** Options of {@link createServer}. Only the store is required. */
export interface ServerOptions {
  /** The store of the blogs. The caller opens it, and closes it after the server is closed. */
  readonly store: SqlStore;
  /** The port to listen on: 4500 by default; 0 selects a free port. */
  readonly port?: number;
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /**
   * Serves `/metrics`, `/docs`, `/openapi.json` and `/llms.txt` on another port only, on `127.0.0.1` unless a host is
   * given. Health is served on both.
   */
  readonly ops?: { readonly port: number; readonly host?: string } | undefined;
  /** The URL that clients use, for example behind a proxy; by default the address that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Where the error pages are (`${docsUrl}/errors/CODE`); `publicUrl` by default. */
  readonly docsUrl?: string | undefined;
  /** Signs click tokens and keys the hash of IP addresses; by default a secret stored in the database. */
  readonly secret?: string | undefined;
  /**
   * The proxies whose `X-Forwarded-For` is believed: their addresses, or how many append to it; 0 by default, which
   * ignores the header. A site that delivers ads for its readers is such a proxy.
   */
  readonly trustProxy?: TrustedProxies;
  /** Requests per second of a key and of an IP address, and ad slots per second of an IP address (1000 by default). */
  readonly rateLimits?: RateLimits;
  /** Whether webhooks may be sent to addresses that are not public; `false` by default. */
  readonly allowPrivateWebhooks?: boolean;
  /** Silent by default. */
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Additional measures for `/metrics`, by name. The names must not change. */
  readonly measures?: Measures;
  /**
   * Below these paths, a request may take ten minutes to arrive instead of 30 seconds. It is meant for `extraRoutes` that
   * receive files and refuse unknown senders before reading a body.
   */
  readonly slowPaths?: readonly string[];
  /**
   * Pages of the embedding program, tried before the API; `undefined` passes the request on. `ip` is the IP address of
   * the client, which `trustProxy` may take from a header.
   */
  readonly extraRoutes?: (
    request: Request,
    caller: { readonly ip: string | undefined },
  ) => Response | Promise<Response> | undefined;
}

/** A running server. */
export interface RunningServer {
  /** The URL that it listens on, without a trailing slash. */
  readonly url: string;
  /** The URL of `ServerOptions.ops`, if set. */
  readonly opsUrl?: string;
  /**
   * Stops accepting connections, finishes the requests in flight (ten seconds at most), and resolves. The store stays
   * open.
   *
   * @param options.behindProxy Whether a proxy balances between several servers. The stop then takes at least two
   * seconds, and idle connections stay open for seven, because a request on a connection that is being closed fails.
   */
  close(options?: { readonly behindProxy?: boolean }): Promise<void>;
}
