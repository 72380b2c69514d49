import { ENDPOINT_IDS, ENDPOINTS } from '@broadsheet/contract';
import { VIEWABLE_PATH } from '@broadsheet/core';
import type { HttpHandler } from 'msw';
import type { InnerMock } from '../worlds/mock.ts';
import type { Http } from './find-msw.ts';
import { fromFetch, pageOf, toFetch } from './response.ts';

/** One handler for each endpoint and for beacons: each has its own path, so it handles every method of that path. */
export function mswHandlers(mock: InnerMock, { all }: Http): HttpHandler[] {
  const paths = [...ENDPOINT_IDS.map((id) => ENDPOINTS[id].path), VIEWABLE_PATH];
  return paths.map((path) =>
    all(pattern(`${mock.baseUrl}${path}`), async ({ request }) =>
      toFetch(await mock.respond(fromFetch(request), pageOf(request))),
    ),
  );
}

/** A regular expression, since MSW 2 decodes path parameters and throws for an escape that the API would refuse. */
function pattern(path: string): string | RegExp {
  if (!path.includes('{')) return path;
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}/?$`);
}
