import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

test('no statement changes the case of a text: SQLite lowers only ASCII, PostgreSQL by its collation', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(300);
  const changesCase = /\b(?:lower|upper|initcap)\(|\bilike\b/i;
  expect(files.filter((file) => changesCase.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
