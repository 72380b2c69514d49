import { casesFor, transportCases } from '@broadsheet/conformance';
import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../src/browser.ts';
import { prepare, targetOf, unknownPaths } from '../conformance-target.ts';

describe('the MSW worker in Chromium keeps every promise of the API document', { shuffle: false }, () => {
  const { mock, world } = prepare(createMock);
  const worker = setupWorker(...mock.handlers(), unknownPaths(mock, http));
  beforeAll(async () => {
    await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  });
  afterAll(() => worker.stop());

  // A page cannot set `Origin` or `Referer`; tests of the other adapters cover the cases that need them, and everything
  // that happens behind `mock.fetch`.
  const target = targetOf(world, mock.baseUrl, (request) => fetch(request));
  const { cases, left } = casesFor(target);
  test('only cases that a page cannot send are left out', () => {
    expect(new Set(left.flatMap(({ lacks }) => lacks))).toEqual(new Set(['origins']));
    expect(left.length).toBeLessThan(cases.length / 4);
  });
  const sent = cases.filter((one) => transportCases.includes(one));
  test.each(sent.map((one) => [`${one.section} ${one.name}`, one] as const))('%s', (_, one) => one.run(target));
});
