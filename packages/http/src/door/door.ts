import type { IncomingMessage } from 'node:http';
import { type BlogApi, Failure, failed, isPromise } from '@broadsheet/core';
import type { Logger } from '../ops/log.ts';
import type { createPages } from '../pages.ts';
import { systemRandom } from '../ports/random.ts';
import type { ServerOptions } from '../server-options.ts';
import { clientIp } from './client-ip.ts';

/** What a {@link createDoor} leads to. */
export interface DoorOptions {
  readonly api: BlogApi;
  readonly pages: ReturnType<typeof createPages>;
  readonly extraRoutes: ServerOptions['extraRoutes'];
  readonly trustProxy: number;
  readonly docsUrl: string;
  readonly log: Logger | undefined;
}

/** Where a request goes: to the API, to a page beside it, or to one of the embedder's own. */
export interface Door {
  fetch(request: Request, incoming: IncomingMessage): Response | Promise<Response>;
  /** The answer to a request that broke outside of the API. */
  refuse(error: unknown): Response;
}

export function createDoor({ api, pages, extraRoutes, trustProxy, docsUrl, log }: DoorOptions): Door {
  return {
    fetch: (request, incoming) => besideTheApi(request) ?? api.fetch(request, { ip: clientIp(incoming, trustProxy) }),
    refuse,
  };

  function besideTheApi(request: Request): Response | Promise<Response> | undefined {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/public/')) return undefined;
    try {
      const answer = pages(request, pathname) ?? extraRoutes?.(request) ?? frontPage(request, pathname);
      return answer && isPromise(answer) ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  }

  function refuse(error: unknown): Response {
    const requestId = `req_${systemRandom.uuid()}`;
    if (error instanceof Failure) return failed(error, requestId, docsUrl);
    if (isNoUrl(error)) {
      const message = 'The request target or the Host header is not valid.';
      return failed(new Failure('VALIDATION_ERROR', { message }), requestId, docsUrl);
    }
    log?.error({ requestId, cause: error }, 'a request failed outside of the API');
    return failed(new Failure('INTERNAL_ERROR', { cause: error }), requestId, docsUrl);
  }
}

/** Whoever opens the bare address in a browser is shown what there is; a program meets the API, as at any path. */
function frontPage({ method, headers }: Request, pathname: string): Response | undefined {
  if (method !== 'GET' || pathname !== '/' || !headers.get('accept')?.includes('text/html')) return undefined;
  return new Response(null, { status: 302, headers: { location: 'docs' } });
}

/** A target or a Host header that makes no URL: of some the adapter says so, by a class of its own, others it lets pass. */
function isNoUrl(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'RequestError' || ('code' in error && error.code === 'ERR_INVALID_URL');
}
