import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedsOf } from '../../../../tools/testing/seeds.ts';
import { parseJson } from './parse-json.ts';

const mistakeIn = (text: string): string | undefined => {
  const read = parseJson(text, 'f');
  return read.ok ? undefined : read.problems[0]?.at;
};

describe('a syntax error in JSON', () => {
  test.each([
    ['{', 'f:1:2'],
    ['{\n  "a": 1,\n}', 'f:3:1'],
    ['[1,\n2\n3]', 'f:3:1'],
    ['{"a": tru}', 'f:1:7'],
    ['{"a" 1}', 'f:1:6'],
    ["{'a': 1}", 'f:1:2'],
    ['{"a": "x\ny"}', 'f:1:7'],
    ['[1] x', 'f:1:5'],
    ['[01]', 'f:1:3'],
    ['[1,]', 'f:1:4'],
    ['["\\x"]', 'f:1:2'],
    ['abc', 'f:1:1'],
  ])('a syntax error in %j is reported at %s', (text, at) => {
    expect(mistakeIn(text)).toBe(at);
  });

  test('the message of a syntax error contains no content of the file', () => {
    const read = parseJson(`{"key": secret, "more": "${'x'.repeat(500)}"}`, 'f');
    expect(read).toEqual({ ok: false, problems: [{ at: 'f:1:9', message: 'is not JSON: invalid symbol' }] });
  });
});

test('the position of a syntax error in truncated JSON is inside the text or at its end', () => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.json(), fc.double({ min: 0, max: 1, noNaN: true }), (json, part) => {
        const text = `[${json}]`;
        const cut = text.slice(0, Math.max(1, Math.floor((text.length - 1) * part)));
        const [, line, column] = mistakeIn(cut)?.split(':').map(Number) ?? [];
        expect(line).toBe(1);
        expect(column).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual(cut.length + 1);
      }),
      { seed },
    );
});
