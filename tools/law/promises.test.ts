import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RULES } from '../prove/checker.ts';
import { PLANTED_FAULTS } from '../prove/planted-faults.ts';
import { SIMULATED_FAULTS } from '../simulate/planted-faults.ts';
import { SIMULATION_RULES } from '../simulate/rules.ts';
import { DECISIONS, type DocumentedPromise, PROMISES } from './promises.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The rows of the tables under a heading, without their headers. */
function rowsUnder(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const lines = section.split('\n## ', 1)[0]?.split('\n') ?? [];
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
  return rows.slice(1);
}

const sentencesOf = (text: string): string[] => text.split(/(?<=\.)\s+(?=[A-Z])/);
const sentences = (rows: readonly DocumentedPromise[]) => rows.map(({ sentence }) => sentence).sort();

test('every sentence that docs/reliability.md promises has a row', () => {
  const rows = rowsUnder(read('docs/reliability.md'), 'What is promised');
  const documented = rows.flatMap(([promise = '', meaning = '']) => [promise, ...sentencesOf(meaning)]);
  expect(documented.length).toBeGreaterThan(15);
  expect(sentences(PROMISES)).toEqual(documented.sort());
});

test('every counting rule of docs/decided.md has a row', () => {
  const page = read('docs/decided.md');
  const points = [...rowsUnder(page, 'Ads'), ...rowsUnder(page, 'Clicks')].map(([point = '']) => point);
  expect(points.length).toBeGreaterThan(20);
  expect(sentences(DECISIONS)).toEqual(points.sort());
});

const ROWS = [...PROMISES, ...DECISIONS];

test.each(ROWS)('what checks it exists: $sentence', ({ prove = [], simulate = [], faults = [], tests = [] }) => {
  expect(prove.length + simulate.length + tests.length).toBeGreaterThan(0);
  // A rule of which no fault is known that it finds may be unable to fail.
  expect(faults.length + tests.length).toBeGreaterThan(0);
  expect(RULES.map(({ promise }) => promise)).toEqual(expect.arrayContaining([...prove]));
  expect(SIMULATION_RULES).toEqual(expect.arrayContaining([...simulate]));
  const planted = [...PLANTED_FAULTS, ...SIMULATED_FAULTS].map(({ name }) => name);
  expect(planted).toEqual(expect.arrayContaining([...faults]));
  for (const path of tests) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
});

test('every rule checks something that is promised', () => {
  const checked = new Set(ROWS.flatMap(({ prove = [], simulate = [] }): readonly string[] => [...prove, ...simulate]));
  const rules: readonly string[] = [...RULES.map(({ promise }) => promise), ...SIMULATION_RULES];
  expect(rules.filter((rule) => !checked.has(rule))).toEqual([]);
});
