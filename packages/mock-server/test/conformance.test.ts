import { CONFORMANCE_KEYS, casesFor, conformanceSnapshot, type Target } from '@broadsheet/conformance';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/mock.ts';
import type { World } from '../src/world.ts';

/** A mock whose worlds hold the two blogs of the suite. */
function prepare(): { mock: Mock; world: World } {
  const [main, other] = conformanceSnapshot.blogs.map(({ id: _, apiKeys: __, ...blog }) => blog);
  const mock = createMock({ baseUrl: 'https://api.example' });
  const world = mock.world({ name: 'conformance', apiKey: CONFORMANCE_KEYS.main, ...(main && { blog: main }) });
  mock.world({ name: 'other', apiKey: CONFORMANCE_KEYS.other, ...(other && { blog: other }) });
  return { mock, world };
}

function targetOf(world: World, baseUrl: string, fetch: (request: Request) => Promise<Response>): Target {
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
    earned: (id) => world.ad(id),
    origins: true,
    ips: true,
    docsUrl: 'https://api.example/docs',
  };
}

describe('mock.fetch keeps every promise of the document', () => {
  const { mock, world } = prepare();
  const target = targetOf(world, mock.baseUrl, (request) => mock.fetch(request));
  const { cases, left } = casesFor(target);
  test('no case is left out', () => expect(left).toEqual([]));
  test.each(cases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) => one.run(target));
});

describe('MSW in Node keeps every promise of the document', () => {
  const { mock, world } = prepare();
  const server = setupServer(...mock.handlers({ unknown: 'answer' }));
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  const target = targetOf(world, mock.baseUrl, (request) => fetch(request));
  test.each(casesFor(target).cases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) =>
    one.run(target),
  );
});

describe('HTTP keeps every promise of the document', () => {
  const { mock, world } = prepare();
  const listening = mock.listen();
  afterAll(async () => (await listening).close());
  const target = targetOf(world, '', (request) => fetch(request));
  test.each(casesFor(target).cases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', async (_, one) =>
    one.run({ ...target, baseUrl: (await listening).url }),
  );
});
