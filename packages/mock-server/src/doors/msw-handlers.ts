import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import type { HttpHandler } from 'msw';
import type { InnerMock } from '../mock.ts';
import { findMsw } from './msw-library.ts';
import { pageOf } from './page.ts';

/** One handler per endpoint: each has a path of its own, so it takes every method of that path. */
export function mswHandlers(mock: InnerMock, { unknown = 'leave' }: { unknown?: 'leave' | 'answer' }): HttpHandler[] {
  const http = findMsw();
  const answer = ({ request }: { request: Request }) => mock.handle(request, pageOf(request));
  const handlers = ENDPOINT_IDS.map((id) => http.all(pattern(`${mock.baseUrl}${ENDPOINTS[id].path}`), answer));
  return unknown === 'answer' ? [...handlers, http.all(`${mock.baseUrl}/*`, answer)] : handlers;
}

/** As an expression, since MSW 2 decodes the parameters of a path and fails at an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}
