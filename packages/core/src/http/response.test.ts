import { expect, test } from 'vitest';
import { decoded, Encoded, toBytes } from './response.ts';

const chunked = (text: string) => ({ chunks: [new TextEncoder().encode(text)], owned: true });

test.each([['"é","😀"'], [chunked('"é","😀"')]])('JSON keeps its value inside other JSON: %o', (json) => {
  const list = new Encoded<string[]>(json, '[', ']');
  expect(decoded(list)).toEqual(['é', '😀']);
  const framed = toBytes(list.within('{"data":', ',"meta":1}'));
  expect(JSON.parse(new TextDecoder().decode(framed))).toEqual({ data: ['é', '😀'], meta: 1 });
});

test('a value is decoded whether it is encoded or not', () => {
  expect(decoded({ id: 'p' })).toEqual({ id: 'p' });
  expect(decoded(new Encoded<{ id: string }>(chunked('{"id":"p"}')))).toEqual({ id: 'p' });
  expect(decoded(undefined)).toBeUndefined();
});
