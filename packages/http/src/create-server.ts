import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type ServerOptions as HttpOptions,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { withoutTrailingSlashes } from '@broadsheet/contract';
import { ApiError, type BlogApi, type Clock, createApi, createResponseCache, VIEWABLE_PATH } from '@broadsheet/core';
import { isbot } from 'isbot';
import { keyedFingerprint, keyedHmac, systemRandom } from './crypto.ts';
import { listenToAll } from './door/broken-request.ts';
import { drain, type Patience } from './door/drain.ts';
import { atEndOfTurn, type ClientIp, createClientIp, nodeRequest, send } from './door/node.ts';
import { createPageDoor, frontPage, type Route } from './door/page-door.ts';
import { limitConnections } from './limits/connections.ts';
import { shareFairly } from './limits/fair-share.ts';
import { createAddressLimit, limitRates, limitSlots } from './limits/rate-limits.ts';
import type { Logger } from './ops/log.ts';
import { createMetrics, type Metrics } from './ops/metrics.ts';
import { createObserver } from './ops/observer.ts';
import { createPages, isOperational } from './pages.ts';
import type { RunningServer, ServerOptions } from './server-options.ts';

/**
 * The time limits for the headers and for the whole request, in milliseconds, and the size limit of the headers in
 * bytes.
 */
const HTTP_LIMITS: HttpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the minute after which load balancers close an idle connection, so that they close it first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  // Checked in `listenToAll`, which responds in the envelope.
  requireHostHeader: false,
  // Otherwise, Node creates and ends a stream for the missing body of each GET request.
  optimizeEmptyRequests: true,
};
/** Bytes of cached responses. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** The time for which a stop waits for requests in flight, without a proxy. */
const ALONE: Patience = { least: 0, idle: 0, all: 10_000 };
/**
 * The same behind a proxy. In two seconds nginx starts to use the process that was restarted before, and nginx closes
 * its idle connections before the server does (deploy/nginx).
 */
const BEHIND_PROXY: Patience = { least: 2000, idle: 7000, all: 10_000 };

/** Starts everything that the `createServer` of the server starts, except for its panel and its webhooks. */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { store, port = 4500, host = '127.0.0.1', ops, log } = options;
  const secret = options.secret ?? (await store.signingSecret());
  const server = createHttpServer(HTTP_LIMITS);
  const opsServer = createHttpServer(HTTP_LIMITS);
  const url = await listen(server, port, host);
  const storeMeasures = () =>
    Object.entries(store.measures?.() ?? {}).map(([name, measure]) => [`store_${name}`, measure] as const);
  const metrics = createMetrics(() => ({ ...Object.fromEntries(storeMeasures()), ...options.measures?.() }));
  const publicUrl = withoutTrailingSlashes(options.publicUrl ?? url);
  const docsUrl = withoutTrailingSlashes(options.docsUrl ?? publicUrl);
  let stopping = false;
  const { main, operations } = createDoors({ options, secret, publicUrl, docsUrl, metrics, stopping: () => stopping });
  limitConnections(server, log);
  listenToAll(server, docsUrl, main, options.slowPaths);
  listenToAll(opsServer, docsUrl, operations);
  const opsUrl =
    ops &&
    (await listen(opsServer, ops.port, ops.host ?? '127.0.0.1').catch((error) => {
      server.close();
      metrics.close();
      throw error;
    }));

  let closing: Promise<void> | undefined;
  return {
    url,
    ...(opsUrl !== undefined && { opsUrl }),
    close: ({ behindProxy = false } = {}) => (closing ??= close(behindProxy ? BEHIND_PROXY : ALONE)),
  };

  async function close(patience: Patience): Promise<void> {
    stopping = true;
    await drain(server, patience);
    // Closed last, so that the stop can be monitored.
    if (ops) await drain(opsServer, ALONE);
    metrics.close();
  }
}

/** Binds the server and returns its URL. @throws the error of the system, with its `code` (`EADDRINUSE`, …) */
async function listen(server: Server, port: number, host: string): Promise<string> {
  // Without a host, Node listens on `::`, which takes IPv4 too, and on 0.0.0.0 where the kernel has no IPv6.
  server.listen(port, host === '::' ? undefined : host);
  // Rejects with the first `error`, such as a port that is taken.
  await once(server, 'listening');
  const { address, family, port: bound } = server.address() as AddressInfo;
  // Clients cannot connect to a wildcard address.
  const isAny = address === '0.0.0.0' || address === '::';
  const name = host.includes(':') || (family === 'IPv6' && host === address) ? `[${host}]` : host;
  return `http://${isAny ? 'localhost' : name}:${bound}`;
}

interface Parts {
  readonly options: ServerOptions;
  readonly secret: string;
  readonly publicUrl: string;
  readonly docsUrl: string;
  readonly metrics: Metrics;
  readonly stopping: () => boolean;
}

/** The handlers of the public URL and of the operator's URL. */
function createDoors(parts: Parts) {
  const { options, publicUrl, docsUrl, metrics, stopping } = parts;
  const { store, log, clock = Date, trustProxy = 0, ops, extraRoutes } = options;
  const clientIp = createClientIp(trustProxy);
  const about = { store, clock, metrics, publicUrl, stopping };
  const pages = createPages({ ...about, docsElsewhere: ops !== undefined });
  const apiDoor = createApiDoor(createServerApi(parts), clientIp, log);
  const common = { otherwise: apiDoor, docsUrl, log };
  const pageDoor = createPageDoor({
    ...common,
    routes: [
      limitPages(options.rateLimits?.address ?? Infinity, clock, clientIp),
      (request, path) => (ops && isOperational(path) ? undefined : pages(request, path)),
      (request, _, incoming) => extraRoutes?.(request, { ip: clientIp(incoming) }),
      (request, path) => (ops ? undefined : frontPage(request, path)),
    ],
  });
  const operations = createPageDoor({
    ...common,
    routes: [createPages({ ...about, docsElsewhere: false }), frontPage, noPage],
  });
  const main = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.url?.startsWith('/public/') || incoming.url === VIEWABLE_PATH) apiDoor(incoming, outgoing);
    else pageDoor(incoming, outgoing);
  };
  return { main, operations };
}

/** Passes requests to the API without `Request` and `Response` objects, which cost more than the responses. */
function createApiDoor(api: BlogApi, clientIp: ClientIp, log: Logger | undefined) {
  const fail = (outgoing: ServerResponse, cause: unknown) => {
    log?.error({ cause }, 'a request failed outside of the API');
    outgoing.destroy();
  };
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = nodeRequest(incoming);
    const caller = { ip: clientIp(incoming) };
    try {
      const response = api.hit(request, caller) ?? (await api.handle(request, caller));
      atEndOfTurn(() => {
        try {
          send(outgoing, response);
        } catch (error) {
          fail(outgoing, error);
        }
      });
    } catch (error) {
      fail(outgoing, error);
    }
  };
}

/** Paths whose requests are not limited: monitoring, and management, which has limits of its own. */
const UNLIMITED = /^\/(?:healthz|readyz|metrics|panel|manage)(?:\/|$)/;

/**
 * Limits requests per IP address, because an image takes several reads of the database, and the URL of a report is a
 * secret.
 */
function limitPages(perSecond: number, clock: Clock, clientIp: ClientIp): Route {
  const limit = perSecond === Infinity ? undefined : createAddressLimit(perSecond, clock);
  return (_, path, incoming) => {
    if (limit && !UNLIMITED.test(path)) limit(clientIp(incoming));
    return undefined;
  };
}

function createServerApi({ options, secret, docsUrl, metrics }: Parts): BlogApi {
  const { store, clock = Date, log, rateLimits = {} } = options;
  return createApi({
    store,
    clock,
    random: systemRandom,
    hmac: keyedHmac(secret),
    fingerprint: keyedFingerprint(secret),
    docsUrl,
    isBot: isbot,
    cache: createResponseCache(CACHE_BYTES),
    limits: limitRates(rateLimits, clock),
    observer: { observe: createObserver(metrics, log), onError: reportObserver },
    aroundBlog: [...limitSlots(rateLimits, clock), shareFairly()],
  });
}

/** The operator's port does not serve the API. */
function noPage(_: Request, path: string): never {
  throw new ApiError('NO_SUCH_ENDPOINT', { message: `There is no page ${path}; /docs lists all pages.` });
}

/** Does not use the log, because the log may be what failed. */
function reportObserver(error: unknown): void {
  process.emitWarning(`Requests are handled, but neither counted nor logged: ${String(error)}`);
}
