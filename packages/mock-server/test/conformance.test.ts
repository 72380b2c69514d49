import { casesFor, transportCases } from '@broadsheet/conformance';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/node.ts';
import { prepare, targetOf, unknownPaths } from './conformance-target.ts';

describe('mock.fetch keeps every promise of the API document', { shuffle: false }, () => {
  const { mock, world } = prepare(createMock);
  const target = { ...targetOf(world, mock.baseUrl, (request) => mock.fetch(request)), origins: true };
  const { cases, left } = casesFor(target);
  test('no case is left out', () => expect(left).toEqual([]));
  test.each(cases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) => one.run(target));
});

describe('MSW in Node keeps every promise of the API document', { shuffle: false }, () => {
  const { mock, world } = prepare(createMock);
  const server = setupServer(...mock.handlers(), unknownPaths(mock, http));
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  const target = { ...targetOf(world, mock.baseUrl, (request) => fetch(request)), origins: true };
  // MSW passes each request to `mock.fetch`, which the tests above cover.
  test.each(transportCases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) =>
    one.run(target),
  );
});

describe('HTTP keeps every promise of the API document', { shuffle: false }, () => {
  const { mock, world } = prepare(createMock);
  const listening = mock.listen();
  afterAll(async () => (await listening).close());
  const target = { ...targetOf(world, '', (request) => fetch(request)), origins: true };
  // The server passes each request to `mock.fetch`, too.
  test.each(transportCases.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', async (_, one) =>
    one.run({ ...target, baseUrl: (await listening).url }),
  );
});
