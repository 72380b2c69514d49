import { expect, test } from 'vitest';
import { budgets } from '../../../bench/budget.ts';
import { pageSize, WORKING_PAGE } from './support/page-size.ts';

/** If fewer kilobytes are left, a warning is printed. */
const HEADROOM = 0.5;

test('the code of the mock that a page loads is within the budget', async () => {
  const { kilobytes, modules } = await pageSize(WORKING_PAGE);
  const budget = budgets.find(({ id }) => id === 'mock.size')?.budget ?? 0;
  const largest = modules.slice(0, 10).map(({ name, bytes }) => `  ${String(bytes).padStart(6)} ${name}`);
  const left = `${(budget - kilobytes).toFixed(2)} KB are left of ${budget} KB.`;
  const report = [left, 'The largest modules (minified bytes):', ...largest].join('\n');
  if (budget - kilobytes < HEADROOM) console.warn(`\n*** mock size: ${report}\n`);
  expect(kilobytes, report).toBeLessThanOrEqual(budget);
});
