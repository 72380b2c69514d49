import { OperationError } from '@broadsheet/management';
import { expect, it } from 'vitest';
import type { Environment } from './database-url.ts';
import { readServeSettings } from './settings.ts';

const read = (env: Environment) => readServeSettings({ port: '0', host: '127.0.0.1' }, env);

it.each([
  ['', 0],
  ['0', 0],
  ['2', 2],
  ['32', 32],
  ['127.0.0.1', ['127.0.0.1']],
  ['127.0.0.1, 10.0.0.0/8,::1', ['127.0.0.1', '10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s is read', (text, expected) => {
  expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(expected);
});

it.each(['yes', '33', '-1', '1.5', '127.0.0.1,', 'localhost', '0.0.0.0/0', '10.0.0.0/99', '127.0.0.1 10.0.0.1', '1,2'])(
  'TRUST_PROXY=%s is refused with the reason',
  (text) => {
    const expected = 'the addresses of proxies, such as 127.0.0.1,10.0.0.0/8, or their number from 0 to 32';
    const problem = `TRUST_PROXY: expected ${expected}, received ${JSON.stringify(text)}`;
    expect(() => read({ TRUST_PROXY: text })).toThrow(new OperationError(problem));
  },
);

it('an empty setting counts as absent', () => {
  const names = [
    'BROADSHEET_SECRET',
    'PUBLIC_URL',
    'DOCS_URL',
    'RATE_LIMIT',
    'LOG_LEVEL',
    'DATABASE_URL',
    'DATABASE_POOL',
  ];
  expect(read(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(read({}));
});

it('a rate limit is a number per second, or off; without a setting, the default of the server applies', () => {
  expect(read({}).rateLimits).toEqual({ key: undefined, address: undefined, slots: undefined });
  const limits = { RATE_LIMIT: '50', RATE_LIMIT_ADDRESS: '0.5', RATE_LIMIT_SLOTS: 'off' };
  expect(read(limits).rateLimits).toEqual({ key: 50, address: 0.5, slots: Infinity });
});
