import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFiles, vacuousIn } from './vacuous-tests.ts';

test('pnpm lint reads every file of tests', () => {
  expect(testFiles(join(import.meta.dirname, '..')).length).toBeGreaterThan(400);
});

test.each([
  ["for (const [, path] of html.matchAll(/d='(.*)'/g)) expect(path).toBe('');", 1],
  ["for (const link of page.querySelectorAll('a'))\n  expect(link.href).toBe('');", 1],
  ["for (const [, path] of html.matchAll(/x/g)) {\n  expect(path).toBe('');\n  found += 1;\n}", 0],
  ["test('a', () => {\n  const b = c();\n  if (b) return;\n  expect(1).toBe(1);\n});", 1],
  ["  it.each([1])('a', async () => {\n\n    if (b) return;\n  });", 1],
  ["test('a', () => {\n  const late = () => {\n    if (b) return;\n  };\n  expect(1).toBe(1);\n});", 0],
  ["test('a', () => {\n  expect(1).toBe(1);\n});\nif (b) return;", 0],
  ['fc.assert(property);', 1],
  ['for (const seed of seedsOf()) fc.assert(property, { seed });', 0],
  ['for (const seed of seedsOf()) fc.assert(property, { seed });\nfc.assert(other);', 1],
])('%j has %i faults', (text, count) => {
  expect(vacuousIn('a.test.ts', text)).toHaveLength(count);
});
