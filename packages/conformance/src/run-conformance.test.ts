import { expect, test } from 'vitest';
import { casesFor, conformanceCases, runConformance, type Target } from './index.ts';

const nonsense = (status: number, body: string): Target => ({
  baseUrl: 'https://api.example',
  fetch: async () => new Response(body, { status, headers: { 'Content-Type': 'application/json' } }),
  apiKey: 'a',
  otherKey: 'b',
  clock: { advance: () => undefined },
  schedule: () => undefined,
  preview: () => 'a.b.c',
  adCounts: () => ({ impressions: 0, viewable: 0, clicks: 0 }),
  origins: true,
  ips: true,
});

test.each([
  [200, '{}'],
  [200, '{"success":true,"data":[]}'],
  [400, '{"success":false}'],
  [404, ''],
  [500, '<html>'],
])('no case passes against an API that always returns %i %s', async (status, body) => {
  const results = await runConformance(nonsense(status, body), { effects: 'all' });
  expect(results).toHaveLength(conformanceCases.length);
  expect(results.filter(({ ok }) => ok).map(({ name }) => name)).toEqual([]);
  for (const { error, unchecked } of results) expect(error ?? unchecked).toMatch(/\S/);
});

test('an API that cannot be reached fails the cases, not the run', async () => {
  const target: Target = {
    baseUrl: 'https://api.example',
    apiKey: 'a',
    fetch: () => Promise.reject(new Error('reset')),
  };
  const seen: string[] = [];
  const results = await runConformance(target, { onResult: ({ error }) => seen.push(error ?? '') });
  expect(new Set(seen)).toEqual(new Set(['reset']));
  expect(results.every(({ ok }) => !ok)).toBe(true);
});

test('cases that a target cannot run are reported with the missing capabilities', () => {
  const { cases, left } = casesFor(
    { baseUrl: 'https://api.example', apiKey: 'a', fetch: (request) => fetch(request) },
    'read',
  );
  expect(cases.length).toBeGreaterThan(40);
  expect(cases.every(({ effect, needs }) => effect === 'read' && needs.length === 0)).toBe(true);
  expect(left.every(({ lacks }) => lacks.includes('snapshot'))).toBe(true);
});

test('the names of cases are unique within a section', () => {
  const names = conformanceCases.map(({ section, name }) => `${section} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
