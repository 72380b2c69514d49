import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST } from './longest-first.ts';

const root = resolve(import.meta.dirname, '../..');

test('the list names tests that exist, each once', () => {
  expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
