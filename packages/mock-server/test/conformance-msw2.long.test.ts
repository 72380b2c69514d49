import { createRequire } from 'node:module';
import { casesFor } from '@broadsheet/conformance';
import { setupServer } from 'msw2/node';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { provideMsw } from '../src/doors/msw.ts';
import { createMock } from '../src/node.ts';
import { prepare, targetOf, unknownPaths } from './conformance-target.ts';

const msw = createRequire(import.meta.url)('msw2');
provideMsw(msw);
// Other files of this worker find their own MSW.
afterAll(() => void vi.resetModules());

describe('MSW 2 in Node keeps every promise of the API document', { shuffle: false }, () => {
  const { mock, world } = prepare(createMock);
  const handlers = [...mock.handlers(), unknownPaths(mock, msw.http)] as unknown as Parameters<typeof setupServer>;
  const server = setupServer(...handlers);
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(() => server.close());
  const target = { ...targetOf(world, mock.baseUrl, (request) => fetch(request)), origins: true };
  test.each(casesFor(target).cases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) =>
    one.run(target),
  );
});
