import { expect, test } from 'vitest';
import { NotFoundError } from './error-kinds.ts';
import { BroadsheetError, isBroadsheetError } from './errors.ts';

const facts = { code: 'NOT_FOUND', phase: 'response', status: 404, endpoint: 'posts.get', docs: undefined } as const;

test('a logged error shows the facts of the call and no internals', () => {
  const error = new NotFoundError('no such post', { ...facts, cause: new Error('inside') });
  error.attempts = [{ delay: 0, duration: 5, status: 404 }];
  const plain = {
    ...{ name: 'NotFoundError', message: 'no such post', code: 'NOT_FOUND', phase: 'response', status: 404 },
    ...{
      endpoint: 'posts.get',
      retryable: false,
      mayRepeat: false,
      attempts: [{ delay: 0, duration: 5, status: 404 }],
    },
  };
  expect(JSON.parse(JSON.stringify(error))).toEqual(plain);
});

test('toJSON carries the facts of an error across boundaries that its class does not survive', () => {
  const error = new NotFoundError('no such post', { ...facts, cause: new Error('inside') });
  error.attempts = [{ delay: 0, duration: 5, status: 404 }];
  const data = error.toJSON();
  expect(structuredClone(data)).toEqual(data);
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({ error: data });
  expect(data).toMatchObject({ code: 'NOT_FOUND', message: 'no such post', attempts: [{ status: 404 }] });
  const clone = structuredClone(error);
  expect([clone.message, isBroadsheetError(clone)]).toEqual(['no such post', false]);
});

test.each([null, undefined, 'NOT_FOUND', 404, {}, [], new Error('no such post'), { code: 'NOT_FOUND' }])(
  'the guards know that %o is not an error of the client',
  (value) => {
    expect(isBroadsheetError(value)).toBe(false);
    expect(value instanceof (BroadsheetError as unknown as () => void)).toBe(false);
  },
);
