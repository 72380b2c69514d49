import { expect, test } from 'vitest';
import { BroadsheetError } from './errors.ts';
import { createRedact, redactError } from './redact.ts';

const KEY = 'bsk_SECRET';

/** The redacted error with this cause. */
function causedBy(cause: unknown, key = KEY) {
  const error = new BroadsheetError('it failed', { code: 'NETWORK_ERROR', phase: 'connect', cause });
  redactError(error, createRedact(key));
  return error as BroadsheetError & { readonly cause: Error & { readonly code?: string } };
}

test('a cause that contains the key is replaced by a copy without it: name, message, code, stack and causes', () => {
  const inner = Object.assign(new RangeError(`no ${KEY}`), { code: `E_${KEY}` });
  const { cause } = causedBy(new TypeError('could not send', { cause: inner }));
  expect(cause).toMatchObject({ name: 'TypeError', message: 'could not send' });
  expect(cause).not.toHaveProperty('code');
  expect(cause.cause).toMatchObject({ name: 'RangeError', message: 'no [key]', code: 'E_[key]' });
  expect((cause.cause as Error).stack).toMatch(/^RangeError: no \[key\]\n\s+at .*redact\.test\.ts/);
});

test('a cause without a stack and one that is not an error are redacted too', () => {
  const bare = Object.assign(new Error(KEY), { stack: undefined });
  expect(causedBy(bare).cause).toMatchObject({ message: '[key]', stack: '' });
  expect(causedBy(`sent ${KEY}`).cause).toBe('sent [key]');
  expect(causedBy({ toString: () => `sent ${KEY}`, key: KEY }).cause).toBe('sent [key]');
});

test('a cause without the key is kept as the same object', () => {
  const round: { self?: unknown } = {};
  round.self = round;
  for (const cause of [round, new Error('down'), 'down', 7, null]) expect(causedBy(cause).cause).toBe(cause);
});

test('a request among the causes is removed, since its headers contain the key', () => {
  const request = new Request('https://blog.example', { headers: { 'x-api-key': KEY } });
  expect(causedBy({ request }).cause).toBe('[object Object]');
});

test('the frames of a stack keep a path that contains the key', () => {
  const error = new BroadsheetError('no sdk', { code: 'NETWORK_ERROR', phase: 'connect', cause: new Error('no sdk') });
  redactError(error, createRedact('sdk'));
  for (const { stack = '' } of [error, error.cause as Error]) {
    expect(stack.split('\n')[0]).toMatch(/no \[key\]$/);
    expect(stack).toContain('/sdk/src/errors/redact.test.ts');
  }
});

test.each(['k', 'key', 'sdk-1'])(
  'the short key %j is removed only where it is a separate word, so it mangles no message',
  (key) => {
    const redact = createRedact(key);
    expect(redact('posts.list: Check apiKeys of sdk-10.')).toBe('posts.list: Check apiKeys of sdk-10.');
    expect(redact(`the header ${key}, ${key}.`)).toBe('the header [key], [key].');
  },
);

test('a key with characters of a regular expression is removed literally', () => {
  expect(createRedact('a.b+c(d)|e')('x a.b+c(d)|e y aXb')).toBe('x [key] y aXb');
});
