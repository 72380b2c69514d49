import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pageSize, WHOLE_DOOR, WORKING_PAGE } from './support/page-size.ts';

const budgets = JSON.parse(await readFile(new URL('../../../bench/budgets.json', import.meta.url), 'utf8')) as {
  id: string;
  budget: number;
}[];
const budget = budgets.find(({ id }) => id === 'mock.size')?.budget ?? 0;

test('a page keeps the budget of the bench: with a working world, and with every export', async () => {
  const { kilobytes, modules } = await pageSize(WORKING_PAGE);
  expect(kilobytes).toBeLessThanOrEqual(budget);
  expect(modules.join('\n')).toContain('core/src/api.ts'); // else the measure is wrong
  expect((await pageSize(WHOLE_DOOR)).kilobytes).toBeLessThanOrEqual(budget);
});

test('a page loads no library before something rare is asked for', async () => {
  const { modules, later } = await pageSize(WORKING_PAGE);
  expect(modules.filter((name) => name.includes('node_modules'))).toEqual([]);
  const names = later.map((name) => name.split('/').at(-1)).sort();
  expect(names).toEqual([
    'apply-fault.ts',
    'apply-lens.ts',
    'checks.ts',
    'explore.ts',
    'hmac.ts',
    'portable-hmac.ts',
    'problems.ts',
  ]);
});
