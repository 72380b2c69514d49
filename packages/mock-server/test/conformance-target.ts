import { CONFORMANCE_KEYS, conformanceSnapshot, type Target } from '@broadsheet/conformance';
import type { http } from 'msw';
import type { Mock, MockOptions } from '../src/worlds/mock.ts';
import type { World } from '../src/worlds/world.ts';

/** A mock whose worlds hold the two blogs of the suite. */
export function prepare(createMock: (options: MockOptions) => Mock): { readonly mock: Mock; readonly world: World } {
  const [main, other] = conformanceSnapshot.blogs;
  const mock = createMock({ baseUrl: 'https://api.example' });
  const world = mock.world({ name: 'conformance', ...(main && { blog: main }) });
  mock.world({ name: 'other', ...(other && { blog: other }) });
  return { mock, world };
}

/** A handler that passes every other path to the mock: the suite also requests paths that the API does not have. */
export const unknownPaths = (mock: Mock, { all }: typeof http) =>
  all(`${mock.baseUrl}/*`, ({ request }) => mock.fetch(request));

/** The capabilities of every adapter: the snapshot, the clock, the counters and `X-Forwarded-For`. */
export function targetOf(world: World, baseUrl: string, fetch: (request: Request) => Promise<Response>) {
  return {
    baseUrl,
    fetch(request, from) {
      if (!from) return fetch(request);
      const headers = new Headers(request.headers);
      headers.set('X-Forwarded-For', from.ip);
      return fetch(new Request(request, { headers }));
    },
    apiKey: CONFORMANCE_KEYS.main,
    otherKey: CONFORMANCE_KEYS.other,
    clock: { advance: (ms) => void world.clock.advance(ms) },
    schedule: (post, due) =>
      world.put({
        posts: [{ ...post, status: 'SCHEDULED', scheduledAt: new Date(world.clock.now() + due).toISOString() }],
      }),
    preview: (id) => world.preview(id),
    adCounts: (id) => world.ad(id),
    ips: true,
    docsUrl: 'https://api.example/docs',
  } satisfies Target;
}
