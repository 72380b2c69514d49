import { ERRORS } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { prepare } from '../calls/outgoing.ts';
import { readSettings } from '../settings.ts';
import { BY_STATUS, readRetryAfter, responseError, TRANSIENT } from './response-error.ts';

const url = 'https://blog.example/public/posts/1';
const settings = readSettings({ baseUrl: 'https://blog.example', apiKey: 'bsk_SECRET' });
const outgoing = prepare(settings, { id: 'posts.get', params: { id: '1' }, options: {} });

/** The error for a response whose body is JSON, or text that is not JSON. */
function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  const json = typeof body !== 'string';
  const text = json ? JSON.stringify(body) : body;
  const response = { status, headers: new Headers(headers), text };
  return responseError(outgoing, response, json ? body : undefined, json ? undefined : new SyntaxError('no JSON'));
}

const fails = (error: unknown): object => ({ success: false, error });

describe('a response of the API', () => {
  test('may have its own code, even if its status has another meaning elsewhere', () => {
    const error = { message: 'The month is spent.', code: 'QUOTA_SPENT', type: 'quota', retryable: false };
    expect(read(429, fails(error))).toMatchObject({
      name: 'RateLimitError',
      message: `posts.get: The month is spent. (${url})`,
      status: 429,
      code: 'QUOTA_SPENT',
      type: 'quota',
      retryable: false,
    });
  });

  test.each([
    [200, 400, 'ValidationError', 400],
    [200, 503, 'ServerError', 503],
    [400, 404, 'ValidationError', 400],
    [403, 500, 'PermissionError', 403],
    [200, 302, 'ApiError', 200],
  ])(
    'of status %i with statusCode %i is a %s: only a success may have another statusCode',
    (status, statusCode, kind, is) => {
      expect(read(status, fails({ message: 'No.', statusCode }))).toMatchObject({ name: kind, status: is });
    },
  );

  test.each([
    [503, true, 'UNAVAILABLE'],
    [400, false, 'VALIDATION_ERROR'],
    [418, false, 'HTTP_418'],
  ])('a response of status %i with only a message has the code of that status', (status, retryable, code) => {
    expect(read(status, fails({ message: 'No.' }))).toMatchObject({ retryable, code });
  });

  test.each([
    [{ success: false, message: 'It is closed' }, 'It is closed.'],
    [{ success: false, message: 7 }, 'the server responded with status 418.'],
    [{ success: false }, 'the server responded with status 418.'],
    [{ error: { message: 'See posts.list for it' }, path: '/x' }, 'See posts.list for it.'],
    [{ error: 'It is closed!' }, 'It is closed!'],
    [{ error: 'It is closed', statusCode: 418 }, 'It is closed.'],
  ])('%j gives a message that is a sentence', (body, sentence) => {
    expect(read(418, body)).toMatchObject({ name: 'ApiError', message: `posts.get: ${sentence} (${url})` });
  });

  test('a response about a post may have no envelope', () => {
    const facts = { code: 'NOT_FOUND', status: 404 };
    expect(read(404, { error: { message: 'Gone' }, path: '/x' })).toMatchObject({ name: 'NotFoundError', ...facts });
    expect(read(404, { error: 'Gone' })).toMatchObject({ name: 'NotFoundError', ...facts });
  });
});

describe('a response that is not from the API', () => {
  test.each([
    ['<h1>Down</h1>', {}, 'an HTML page'],
    [' \n<!doctype html>', {}, 'an HTML page'],
    ['Down', { 'content-type': 'text/html; charset=utf-8' }, 'an HTML page'],
    ['Down', { 'content-type': 'text/plain' }, 'something that is not valid JSON'],
    ['1 < 2', {}, 'something that is not valid JSON'],
    ['', {}, 'an empty body'],
    [null, {}, 'JSON that is not from the API'],
    [[{ error: 'x' }], {}, 'JSON that is not from the API'],
  ])('%j with %j is named by its format', (body, headers, words) => {
    expect(read(502, body, headers)).toMatchObject({
      name: 'ServerError',
      message: expect.stringContaining(`posts.get: the server returned 502 with ${words}. A proxy in front of the API`),
    });
  });

  test.each([
    [200, 'Check that baseUrl is the URL of the API.'],
    [401, 'A proxy or firewall in front of the API refused the call'],
    [403, 'A proxy or firewall in front of the API refused the call'],
    [404, 'Check that baseUrl is the URL of the API.'],
    [418, 'Check that baseUrl is the URL of the API.'],
    [429, 'A proxy in front of the API limits the number of calls'],
    [500, 'A proxy in front of the API could not reach it'],
  ])('the error for status %i says how to fix it', (status, words) => {
    expect(read(status, '<h1>Down</h1>').message).toContain(`an HTML page. ${words}`);
  });

  test.each([
    [200, '{"success":tr', 'ResponseError', 'RESPONSE_INVALID_JSON', true],
    [200, '<h1>Sign in</h1>', 'ResponseError', 'RESPONSE_NOT_JSON', false],
    [403, '<h1>No</h1>', 'PermissionError', 'RESPONSE_NOT_JSON', false],
    [403, { reason: 'No' }, 'PermissionError', 'RESPONSE_MISMATCH', false],
    [500, '<h1>Down</h1>', 'ServerError', 'INTERNAL_ERROR', true],
    [501, '<h1>Down</h1>', 'ServerError', 'HTTP_501', false],
  ])('a response of status %i with %j is a %s %s, worth another try: %s', (status, body, kind, code, retryable) => {
    const failure = read(status, body);
    expect([failure.name, failure.code, failure.retryable]).toEqual([kind, code, retryable]);
  });

  test('the error quotes the start of the response, without any part of the key', () => {
    expect(read(502, 'x'.repeat(500)).body).toBe('x'.repeat(500));
    expect(read(502, `${'x'.repeat(495)}bsk_SECRET`).body).toBe(`${'x'.repeat(495)}[key]`);
    expect(read(502, 'x'.repeat(501)).body).toBe(`${'x'.repeat(500)}…`);
    expect(read(403, { message: 'x'.repeat(201) }).message).toContain(`It says "${'x'.repeat(200)}…".`);
  });
});

test('the code for a status without a code is one of the catalogue with that status', () => {
  const catalogue = Object.entries(ERRORS);
  for (const [status, [, code]] of Object.entries(BY_STATUS)) expect(ERRORS[code].status).toBe(Number(status));
  expect(new Set(catalogue.map(([, { status }]) => String(status)))).toEqual(new Set(Object.keys(BY_STATUS)));
});

test('a status is transient when the catalogue says so', () => {
  for (const { status, retryable } of Object.values(ERRORS))
    expect(TRANSIENT.includes(status), `${status}`).toBe(retryable);
});

const now = Date.parse('2026-01-31T09:00:00Z');
const wait = (headers: Record<string, string>): number | undefined => readRetryAfter(new Headers(headers), now);

test('Retry-After is read in seconds and as a date', () => {
  expect(wait({ 'retry-after': '2' })).toBe(2000);
  expect(wait({ 'retry-after': '1.25' })).toBe(1250);
  expect(wait({ 'retry-after': 'Sat, 31 Jan 2026 09:00:30 GMT' })).toBe(30_000);
  expect(wait({ 'retry-after': 'Sat, 31 Jan 2026 08:00:00 GMT' })).toBe(0);
  // Not an HTTP date, but servers send it.
  expect(wait({ 'retry-after': '2026-01-31T09:00:30+00:00' })).toBe(30_000);
  for (const unread of ['', 'soon']) expect(wait({ 'retry-after': unread })).toBeUndefined();
  expect(wait({})).toBeUndefined();
});

test('spaces around Retry-After do not matter', () => {
  // The Headers of a nonstandard fetch may not trim values.
  const spaced = { get: (name: string) => (name === 'retry-after' ? '  2 ' : null) } as Headers;
  expect(readRetryAfter(spaced, now)).toBe(2000);
});
