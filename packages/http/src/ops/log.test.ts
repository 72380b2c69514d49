import { expect, it } from 'vitest';
import { printable } from './log.ts';

it('printable() keeps printable ASCII and escapes the rest', () => {
  expect(printable('a b~')).toBe('a b~');
  expect(printable('a\nb\u001b[31m\u202e\u009b')).toBe('a\\u000ab\\u001b[31m\\u202e\\u009b');
});

it('printable() truncates long text', () => {
  expect(printable('x'.repeat(20), 5)).toBe('xxxxx...');
});
