import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorEnvelope } from '@broadsheet/contract';
import { ApiError, errorResponse, toFetch } from '@broadsheet/core';
import { systemRandom } from '../crypto.ts';
import { escapeHtml, plainPage } from '../docs/plain-page.ts';
import type { Logger } from '../ops/log.ts';

/** Handles a request, given its path; returns `undefined` for a path that it does not have. */
export type Route = (
  request: Request,
  path: string,
  incoming: IncomingMessage,
) => Response | Promise<Response> | undefined;

/** Options of {@link createPageDoor}. */
export interface PageDoorOptions {
  /** Tried in order. */
  readonly routes: readonly Route[];
  /** Handles a request for which there is no route. Its body has not been read. */
  readonly otherwise: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  readonly docsUrl: string;
  readonly log: Logger | undefined;
}

/**
 * Responds with pages, files and the routes of an embedding program, which take a `Request` and return a `Response`. The
 * adapter for those classes is loaded by the first such request, so that it does not delay the start.
 */
export function createPageDoor({ routes, otherwise, docsUrl, log }: PageDoorOptions) {
  let listener: ReturnType<typeof load> | undefined;
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    listener ??= load();
    await (await listener)(incoming, outgoing);
  };

  async function load() {
    const { getRequestListener, RESPONSE_ALREADY_SENT } = await loadAdapter();
    return getRequestListener(
      async (request, env) => {
        const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
        try {
          const response = await route(request, incoming);
          if (response) return await send(request, response);
        } catch (error) {
          return send(request, respondToError(error));
        }
        otherwise(incoming, outgoing);
        return RESPONSE_ALREADY_SENT;
      },
      { overrideGlobalObjects: false, errorHandler: respondToError, hostname: 'localhost' },
    );
  }

  async function route(request: Request, incoming: IncomingMessage): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    for (const each of routes) {
      const response = each(request, pathname, incoming);
      if (response) return response;
    }
    if (!isForBrowser(request)) return undefined;
    throw new ApiError('NO_SUCH_ENDPOINT', { message: `There is no page ${pathname}.` });
  }

  /** Adds the headers of every response, and renders JSON as a page if the reader is a person and not a program. */
  async function send(request: Request, response: Response): Promise<Response> {
    const { status, headers } = response;
    if (!headers.has('x-request-id')) headers.set('x-request-id', newRequestId());
    const isJson = headers.get('content-type')?.startsWith('application/json') && !headers.has('content-encoding');
    if (isJson) headers.append('vary', 'Accept');
    return isJson && isForBrowser(request) && status !== 304 ? jsonPage(response, docsUrl) : response;
  }

  function respondToError(error: unknown): Response {
    const requestId = newRequestId();
    const known = isNoUrl(error) ? NO_URL : error instanceof ApiError ? error : undefined;
    if (!known) log?.error({ requestId, cause: error }, 'a request failed outside of the API');
    return toFetch(errorResponse(known ?? new ApiError('INTERNAL_ERROR', { cause: error }), requestId, docsUrl));
  }
}

const newRequestId = (): string => `req_${systemRandom.uuid()}`;

/** JSON as a page, or the message of an error. */
async function jsonPage(response: Response, docsUrl: string): Promise<Response> {
  const { status, headers } = response;
  const init = { status, headers: new Headers(headers) };
  const json = (await response.json()) as Partial<ErrorEnvelope>;
  if (!json.error) return plainPage('JSON', `<pre>${escapeHtml(JSON.stringify(json, undefined, 2))}</pre>`, init);
  const docs = `<p><a href="${escapeHtml(docsUrl)}/docs/">Documentation</a></p>`;
  const body = `<h1>${STATUS_CODES[status]}</h1><p>${escapeHtml(json.error.message)}</p>${docs}`;
  return plainPage(String(STATUS_CODES[status]), body, init);
}

/** Loads the adapter between Node's requests and the Fetch standard. */
export async function loadAdapter() {
  const { getRequestListener } = await import('@hono/node-server');
  const { RESPONSE_ALREADY_SENT } = await import('@hono/node-server/utils/response');
  return { getRequestListener, RESPONSE_ALREADY_SENT };
}

/** Whether a browser reads the response. The API has no pages. */
const isForBrowser = ({ headers, url }: Request): boolean =>
  (headers.get('accept') ?? '').includes('text/html') && !/^\/(?:public|preview)(?:\/|$)/.test(new URL(url).pathname);

/** Redirects a browser from `/` to the documentation; a program gets the API's response, as at any path. */
export function frontPage({ method, headers }: Request, path: string): Response | undefined {
  if (method !== 'GET' || path !== '/' || !headers.get('accept')?.includes('text/html')) return undefined;
  return new Response(null, { status: 302, headers: { location: 'docs' } });
}

const NO_URL = new ApiError('VALIDATION_ERROR', {
  message: 'The request target or the Host header is not valid.',
});

/** Whether the target and the Host header do not form a URL. The adapter has its own error class for some of these. */
function isNoUrl(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'RequestError' || ('code' in error && error.code === 'ERR_INVALID_URL');
}
