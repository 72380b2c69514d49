import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { budgets, verdictOf } from './budget.ts';
import { measures } from './measures.ts';

test('every budget has one measure, and no measure is without a budget', () => {
  expect(measures.flatMap(({ ids }) => ids).toSorted()).toEqual(budgets.map(({ id }) => id).toSorted());
});

test.each([
  { of: 'ours', relation: '<=', finding: { ours: 15 }, verdict: 'met' },
  { of: 'ours', relation: '<=', finding: { ours: 15.01 }, verdict: 'MISSED' },
  { of: 'ours', relation: '>=', finding: { ours: 14 }, verdict: 'MISSED' },
  { of: 'ratio', relation: '<=', finding: { ours: 100, reference: 10 }, verdict: 'met' },
  { of: 'ratio', relation: '<=', finding: { ours: 100, reference: 10, ratio: 16 }, verdict: 'MISSED' },
  { of: 'ratio', relation: '<=', finding: { ours: 1 }, verdict: 'not measured' },
  { of: 'difference', relation: '<=', finding: { ours: 30, reference: 10 }, verdict: 'MISSED' },
  { of: 'ours', relation: '<=', finding: { notMeasured: 'no browser' }, verdict: 'not measured' },
] as const)('$finding is $verdict as $of $relation 15', ({ of, relation, finding, verdict }) => {
  const budget = { id: 'row', group: 'group', what: 'what', unit: 'ms', budget: 15, of, relation };
  expect(verdictOf(budget, { id: 'row', ...finding })).toBe(verdict);
});

test.each([
  [['--help'], 0, 'Usage: pnpm bench'],
  [['-h', 'server'], 0, 'Usage: pnpm bench'],
  [['--quik'], 2, "bench: Unknown option '--quik'"],
  [['nothing'], 2, 'Unknown measure: nothing'],
] as const)('pnpm bench %j ends with %i and a sentence', (flags, code, sentence) => {
  const main = join(import.meta.dirname, 'main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@broadsheet/source', main, ...flags], {
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([code, expect.stringContaining(sentence)]);
  expect(stderr).not.toMatch(/^ {4}at /m);
});
