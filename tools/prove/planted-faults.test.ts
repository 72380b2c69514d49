import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLANTED_FAULTS } from './planted-faults.ts';

test.each(PLANTED_FAULTS)('the code into which a fault is planted exists: $name', ({ file, text, by }) => {
  const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(code.split(text)).toHaveLength(2);
  expect(by).not.toBe(text);
});
