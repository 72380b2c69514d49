import { createServer as createHttpServer, type ServerOptions as HttpOptions } from 'node:http';
import { ApiError, createAnswerCache, createApi, observed } from '@broadsheet/core';
import { keyedFingerprint, keyedHmac } from './crypto/keyed.ts';
import { systemRandom } from './crypto/random.ts';
import { createApiDoor } from './door/api-door.ts';
import { listenToAll } from './door/broken-request.ts';
import { drain, type Patience } from './door/drain.ts';
import { listen } from './door/listen.ts';
import { createPageDoor, frontPage } from './door/page-door.ts';
import { limitRates } from './limits/rate-limits.ts';
import { createMetrics } from './ops/metrics.ts';
import { createObserver } from './ops/observer.ts';
import { createPages, isOperational } from './pages.ts';
import type { RunningServer, ServerOptions } from './server-options.ts';

/** What a client may take: milliseconds for its headers and its whole request, and bytes of headers. */
const HTTP_LIMITS: HttpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the minute after which load balancers drop an idle connection: they close it, not we under them.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // Looked at by ourselves, who answer in the envelope.
  requireHostHeader: false,
};
const CACHE_BYTES = 64 * 1024 * 1024;
/** How long a stop waits for requests in flight. */
const ALONE: Patience = { least: 0, idle: 0, all: 10_000 };
/**
 * The same behind a proxy. Two seconds, so that nginx has taken the process that was restarted before back into use; and
 * idle connections are closed later than nginx closes them itself (deploy/nginx).
 */
const BEHIND_PROXY: Patience = { least: 2000, idle: 7000, all: 10_000 };

/**
 * Starts the API over a store behind `node:http`, with its health, metrics and documentation pages, and resolves when
 * it listens.
 *
 * @throws the error of the system (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`) when it cannot listen, and
 * `StoreUnavailable` when the store cannot hand out its secret.
 *
 * @example
 * ```ts
 * const store = await openStore('sqlite:./broadsheet.db');
 * const server = await createServer({ store, port: 4500 });
 * console.log(server.url);
 * await server.close();
 * await store.close();
 * ```
 */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { store, port = 4500, host = '127.0.0.1', log, clock = Date, trustProxy = 0, rateLimits = {} } = options;
  const secret = options.secret ?? (await store.signingSecret());
  const server = createHttpServer(HTTP_LIMITS);
  const url = await listen(server, port, host);
  const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '');
  const docsUrl = (options.docsUrl ?? publicUrl).replace(/\/+$/, '');
  const metrics = createMetrics(store);
  let stopping = false;

  const api = createApi({
    store,
    clock,
    random: systemRandom,
    hmac: keyedHmac(secret),
    fingerprint: keyedFingerprint(secret),
    docsUrl,
    cache: createAnswerCache(options.cacheBytes ?? CACHE_BYTES),
    around: [observed(createObserver(metrics, log), clock, reportObserver), ...limitRates(rateLimits, clock)],
  });
  const { ops, extraRoutes, lightGlobals = false } = options;
  const about = { store, metrics, publicUrl, stopping: () => stopping };
  const pages = createPages({ ...about, docsElsewhere: ops !== undefined });
  const apiDoor = createApiDoor({ api, trustProxy, log });
  const pageDoor = createPageDoor({
    routes: [
      (request, path) => (ops && isOperational(path) ? undefined : pages(request, path)),
      (request) => extraRoutes?.(request),
      ...(ops ? [] : [frontPage]),
    ],
    otherwise: apiDoor,
    ...{ docsUrl, log, lightGlobals },
  });
  listenToAll(server, docsUrl, (incoming, outgoing) => {
    if (incoming.url?.startsWith('/public/')) apiDoor(incoming, outgoing);
    else pageDoor(incoming, outgoing);
  });

  let opsUrl: string | undefined;
  const opsServer = ops && createHttpServer(HTTP_LIMITS);
  if (opsServer) {
    const opsDoor = createPageDoor({
      routes: [createPages({ ...about, docsElsewhere: false }), frontPage, noPage],
      otherwise: apiDoor,
      docsUrl,
      log,
      lightGlobals,
    });
    listenToAll(opsServer, docsUrl, opsDoor);
    opsUrl = await listen(opsServer, ops.port, ops.host ?? '127.0.0.1');
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    ...(opsUrl !== undefined && { opsUrl }),
    close: ({ behindProxy = false } = {}) => (closing ??= close(behindProxy ? BEHIND_PROXY : ALONE)),
  };

  async function close(patience: Patience): Promise<void> {
    stopping = true;
    await drain(server, patience);
    // It answers until the other is done, so that the stop can be watched.
    if (opsServer) await drain(opsServer, ALONE);
    metrics.close();
  }
}

/** The address of the operator has no API. */
function noPage(_: Request, path: string): never {
  throw new ApiError('NOT_FOUND', { message: `There is no page ${path}; /docs lists those there are.` });
}

/** The log may be what fails, so this goes past it. */
function reportObserver(error: unknown): void {
  process.emitWarning(`Requests are answered, but neither counted nor logged: ${String(error)}`);
}
