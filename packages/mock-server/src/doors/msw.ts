import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import { VIEWABLE_PATH } from '@broadsheet/core';
import type { HttpHandler } from 'msw';
import type { InnerMock } from '../worlds/mock.ts';
import type { Http } from './find-msw.ts';
import { fromFetch, pageOf, toFetch } from './response.ts';

/** One handler for each endpoint and for beacons: each has its own path, so it handles every method of that path. */
export function mswHandlers(
  mock: InnerMock,
  { all }: Http,
  { unknown = 'leave' }: { unknown?: 'leave' | 'answer' },
): HttpHandler[] {
  const respond = async ({ request }: { request: Request }) =>
    toFetch(await mock.respond(fromFetch(request), pageOf(request)));
  const paths = [...ENDPOINT_IDS.map((id) => ENDPOINTS[id].path), VIEWABLE_PATH];
  const handlers = paths.map((path) => all(pattern(`${mock.baseUrl}${path}`), respond));
  return unknown === 'answer' ? [...handlers, all(`${mock.baseUrl}/*`, respond)] : handlers;
}

/** A regular expression, since MSW 2 decodes path parameters and throws for an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}
