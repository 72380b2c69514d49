import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import type { HttpHandler, http } from 'msw';
import type { InnerMock } from '../worlds/mock.ts';
import { fromFetch, pageOf, toFetch } from './answer.ts';

/** The part of MSW that makes handlers. */
export type Http = typeof http;

/** One handler per endpoint: each has a path of its own, so it takes every method of that path. */
export function mswHandlers(
  mock: InnerMock,
  { all }: Http,
  { unknown = 'leave' }: { unknown?: 'leave' | 'answer' },
): HttpHandler[] {
  const answer = async ({ request }: { request: Request }) =>
    toFetch(await mock.respond(fromFetch(request), pageOf(request)));
  const handlers = ENDPOINT_IDS.map((id) => all(pattern(`${mock.baseUrl}${ENDPOINTS[id].path}`), answer));
  return unknown === 'answer' ? [...handlers, all(`${mock.baseUrl}/*`, answer)] : handlers;
}

/** As an expression, since MSW 2 decodes the parameters of a path and fails at an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}

let provided: Http | undefined;

/** Sets where MSW is, on platforms where it must be imported statically. */
export function provideMsw(library: Http): void {
  provided = library;
}

/**
 * MSW's `http`. It is an optional peer and slow to load, so Node loads it when handlers are asked for, and not before;
 * elsewhere the door of the platform has provided it.
 *
 * @throws Error when it is not installed
 */
export function findMsw(): Http {
  if (provided) return provided;
  const node = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:module');
  if (!node) throw new Error("mock.handlers: MSW must be imported here; add import '@broadsheet/mock-server/msw'");
  try {
    const library = node.createRequire(import.meta.url)('msw') as { http: Http };
    provided = fromRealm(library.http);
    return provided;
  } catch (cause) {
    throw new Error('mock.handlers: MSW is not installed; run npm install --save-dev msw (2.10 or later)', { cause });
  }
}

/**
 * Where tests have a realm of their own, as in vitest's pools of VMs, Node loads MSW outside of it, and there an
 * expression of the test is no `RegExp`.
 */
function fromRealm(http: Http): Http {
  if (http.all instanceof Function) return http;
  const Expression: typeof RegExp = (http.all as { constructor: FunctionConstructor }).constructor('return RegExp')();
  const all: Http['all'] = (path, ...rest) => http.all(path instanceof RegExp ? new Expression(path) : path, ...rest);
  return { ...http, all };
}
