import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import type { HttpHandler } from 'msw';
import type { InnerMock } from '../mock.ts';
import { findMsw } from './msw-library.ts';
import { pageOf } from './page.ts';

/** One handler per endpoint: each has a path of its own, so it takes every method of that path. */
export function mswHandlers(mock: InnerMock, { unknown = 'leave' }: { unknown?: 'leave' | 'answer' }): HttpHandler[] {
  const http = findMsw();
  const answer = ({ request }: { request: Request }) => mock.handle(request, pageOf(request));
  const paths = ENDPOINT_IDS.map((id) => ENDPOINTS[id].path.replace(/\{(\w+)\}/g, ':$1'));
  // MSW takes the first path that fits, and `posts/:id` does not reach over a slash, so the order does not matter.
  const handlers = paths.map((path) => http.all(`${mock.baseUrl}${path}`, answer));
  return unknown === 'answer' ? [...handlers, http.all(`${mock.baseUrl}/*`, answer)] : handlers;
}
