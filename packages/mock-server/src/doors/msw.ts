import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import { VIEWABLE_PATH } from '@broadsheet/core';
import type { HttpHandler, HttpResponse, http } from 'msw';
import type { InnerMock } from '../worlds/mock.ts';
import { fromFetch, pageOf } from './response.ts';

/** The parts of MSW that make handlers and their responses. */
export interface Msw {
  readonly http: typeof http;
  readonly HttpResponse: typeof HttpResponse;
}

let provided: Msw | undefined;

/** Provides MSW on platforms where it must be imported statically. */
export function provideMsw(library: Msw): void {
  provided = library;
}

/**
 * Finds MSW's `http`. It is an optional peer and slow to load, so Node loads it when handlers are requested; elsewhere
 * the entry point of the platform provides it.
 *
 * @throws Error when it is not installed
 */
export function findMsw(): Msw {
  if (provided) return provided;
  const node = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:module');
  if (!node) throw new Error("mock.handlers: MSW must be imported here; add import '@broadsheet/mock-server/msw'");
  try {
    const library = node.createRequire(import.meta.url)('msw') as Msw;
    provided = { ...library, http: fromRealm(library.http) };
    return provided;
  } catch (cause) {
    throw new Error('mock.handlers: MSW is not installed; run npm install --save-dev msw (2.10 or later)', { cause });
  }
}

/** In vitest's VM pools, Node loads MSW outside the realm of the test, so the `RegExp` classes differ. */
function fromRealm(http: Msw['http']): Msw['http'] {
  if (http.all instanceof Function) return http;
  const Expression: typeof RegExp = (http.all as { constructor: FunctionConstructor }).constructor('return RegExp')();
  const all: Msw['http']['all'] = (path, ...rest) =>
    http.all(path instanceof RegExp ? new Expression(path) : path, ...rest);
  return { ...http, all };
}

/** One handler for each endpoint and for beacons: each has its own path, so it handles every method of that path. */
export function mswHandlers(mock: InnerMock, { http, HttpResponse }: Msw): HttpHandler[] {
  const paths = [...ENDPOINT_IDS.map((id) => ENDPOINTS[id].path), VIEWABLE_PATH];
  return paths.map((path) =>
    http.all(pattern(`${mock.baseUrl}${path}`), async ({ request }) => {
      try {
        const { status, headers, body } = await mock.respond(fromFetch(request), pageOf(request));
        // MSW would copy any other response into one of its own.
        return status === 0 ? Response.error() : new HttpResponse(body, { status, headers });
      } catch (cause) {
        // MSW would print an error for a request that the application has aborted, and that nobody waits for.
        if (request.signal.aborted) return Response.error();
        throw cause;
      }
    }),
  );
}

/** A regular expression, since MSW 2 decodes path parameters and throws for an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}
