import { StoreUnavailable, visitorAddress } from '@broadsheet/core';
import { createTokenBuckets, type ServerOptions } from '@broadsheet/http';
import { isManagement } from '@broadsheet/management';
import { reportNotFound } from '@broadsheet/panel';
import type { OperatorsOptions } from './operators-options.ts';
import { OperatorsThread } from './thread.ts';

/** The doors of operators, as options of an HTTP server. */
export interface Operators extends Required<Pick<ServerOptions, 'extraRoutes' | 'measures' | 'slowPaths'>> {
  /** Ends the thread of the panel, if there is one. */
  close(): Promise<void>;
}

/** The methods of the panel. For some others, such as TRACE, `new Request` throws in the thread. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** Requests to `/manage` with a wrong token that an IP address may send per second, with bursts of twice as many. */
const WRONG_TOKENS = 5;

/** A report, or its figures as a file. */
const REPORT = /^\/report\/([\w-]{43})(?:\.csv)?$/;

/**
 * The management panel, the reports of campaigns, and the endpoints of `/manage`. Their code is loaded at the first
 * request for them. The panel returns 404 until somebody is invited, `/manage` until there is a token, and a report
 * unless its token is valid.
 *
 * It runs in its own thread, with its own store over the same database, so that its pages do not delay the API. With a
 * custom clock, or a store that no other thread can open, it runs in the calling thread.
 *
 * @example
 * ```ts
 * const operators = createOperators({ store });
 * const server = await createServer({ store, ...operators });
 * await server.close();
 * await operators.close();
 * ```
 */
export function createOperators(options: OperatorsOptions): Operators {
  const { store, clock } = options;
  const takeAttempt = createTokenBuckets(WRONG_TOKENS, clock ?? Date);
  let handle: ReturnType<typeof load> | undefined;
  let thread: OperatorsThread | undefined;

  const extraRoutes: Operators['extraRoutes'] = (request, caller) => {
    const { pathname } = new URL(request.url);
    if (isManagement(request)) return respondToManagement(request, caller?.ip);
    if (pathname.startsWith('/report/')) return respond(request, () => isShared(pathname), reportNotFound);
    if (pathname !== '/panel' && !pathname.startsWith('/panel/')) return undefined;
    return respond(request, store.hasPeople, notFound);
  };
  return {
    extraRoutes,
    // A body to these may arrive after the response.
    slowPaths: ['/panel/', '/manage/'],
    measures: () => ({
      panel_restarts_total: { help: 'Restarts of the thread of the panel', value: thread?.restarts ?? 0 },
    }),
    close: async () => thread?.close(),
  };

  async function isShared(pathname: string): Promise<boolean> {
    const token = REPORT.exec(pathname)?.[1];
    return token !== undefined && (await store.findReport(token, (clock ?? Date).now())) !== undefined;
  }

  /** A request counts as an attempt until its token turns out to be valid. */
  async function respondToManagement(request: Request, ip: string | undefined): Promise<Response> {
    const owner = visitorAddress(ip) ?? '';
    const wait = takeAttempt(owner);
    if (wait > 0) return new Response('Too many attempts\n', { status: 429, headers: { 'retry-after': `${wait}` } });
    const response = await respond(request, store.hasTokens, notFound);
    if (response.status !== 401) takeAttempt(owner, -1);
    return response;
  }

  async function respond(
    request: Request,
    isThere: () => Promise<boolean>,
    notFound: () => Response,
  ): Promise<Response> {
    try {
      if (!(await isThere())) return notFound();
      if (!METHODS.includes(request.method)) {
        return new Response('Method not allowed\n', { status: 405, headers: { allow: METHODS.join(', ') } });
      }
      const { databaseUrl, statementTimeout } = store;
      if (databaseUrl !== undefined && clock === undefined) {
        thread ??= new OperatorsThread({ ...options, databaseUrl, statementTimeout });
        return await thread.fetch(request);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return new Response('The database cannot be reached. Try again in a moment.\n', { status: 503 });
    }
    handle ??= load(options);
    return (await handle)(request);
  }
}

async function load(options: OperatorsOptions) {
  const { createHandler } = await import('./handler.ts');
  return createHandler(options);
}

const notFound = () => new Response('Not found\n', { status: 404 });
