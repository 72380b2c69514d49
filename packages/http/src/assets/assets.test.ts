import { expect, it } from 'vitest';
import { chooseEncoding } from './assets.ts';

it.each([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=1.0, BR;q=0.1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0, gzip; q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['*;q=0', undefined],
  ['bread', undefined],
  ['br;q=x', undefined],
])('Accept-Encoding "%s" selects %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});
