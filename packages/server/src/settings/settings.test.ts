import { OperationError } from '@broadsheet/management';
import { expect, it } from 'vitest';
import type { Environment } from './environment.ts';
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

it.each([
  [{}, {}, [4500, '127.0.0.1']],
  [{}, { PORT: '8080' }, [8080, '::']],
  [{ port: '1' }, { PORT: '8080' }, [1, '::']],
  [{ host: '10.0.0.1' }, { PORT: '8080', HOST: '0.0.0.0' }, [8080, '10.0.0.1']],
  [{}, { HOST: '0.0.0.0' }, [4500, '0.0.0.0']],
  [{}, { HOST: 'name-of-this-machine' }, [4500, '127.0.0.1']],
  [{ host: '[::1]' }, {}, [4500, '::1']],
])('the flags %o and the variables %o say where to listen', (flags, env, expected) => {
  const { port, host } = readServeSettings(flags, env);
  expect([port, host]).toEqual(expected);
});

it('the path of a socket is refused by name, and so is a port of the platform that is not a number', () => {
  const serve = (host: string, env: Environment) => () => readServeSettings({ host }, env);
  expect(serve('/run/broadsheet.sock', {})).toThrow('--host: /run/broadsheet.sock is a path, and sockets are not');
  expect(serve('::', { PORT: 'tcp://10.0.0.1:80' })).toThrow(/^PORT: expected a whole number/);
});

it.each(['disable', 'require', 'verify-full'])('sslmode=%s of a database is accepted', (mode) => {
  const url = `postgres://h/b?sslmode=${mode}&sslrootcert=/ca.pem`;
  expect(read({ DATABASE_URL: url }).database).toBe(url);
});

it('an unknown sslmode of a database is refused by name', () => {
  expect(() => read({ DATABASE_URL: 'postgres://h/b?a=b&sslmode=always' })).toThrow(
    'DATABASE_URL: sslmode: expected disable, prefer, require, verify-ca, verify-full, no-verify, received "always"',
  );
});
