import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import type { HttpHandler, http } from 'msw';
import type { InnerMock } from '../worlds/mock.ts';
import { fromFetch, toFetch } from './answer.ts';
import { pageOf } from './page.ts';

/** The part of MSW that makes handlers. */
export type Http = typeof http;

/** One handler per endpoint: each has a path of its own, so it takes every method of that path. */
export function mswHandlers(
  mock: InnerMock,
  { all }: Http,
  { unknown = 'leave' }: { unknown?: 'leave' | 'answer' },
): HttpHandler[] {
  const answer = async ({ request }: { request: Request }) =>
    toFetch(await mock.answer(fromFetch(request), pageOf(request)));
  const handlers = ENDPOINT_IDS.map((id) => all(pattern(`${mock.baseUrl}${ENDPOINTS[id].path}`), answer));
  return unknown === 'answer' ? [...handlers, all(`${mock.baseUrl}/*`, answer)] : handlers;
}

/** As an expression, since MSW 2 decodes the parameters of a path and fails at an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}
