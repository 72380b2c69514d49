import { ERRORS } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { prepare } from '../calls/outgoing.ts';
import { core } from '../on-demand-core.ts';
import { readSettings } from '../settings.ts';
import { BY_STATUS, TRANSIENT, unexplained } from './failure.ts';
import { responseError } from './response-error.ts';

const url = 'https://blog.example/public/posts/1';
const settings = readSettings({ baseUrl: 'https://blog.example', apiKey: 'bsk_SECRET' });
const outgoing = prepare(settings, { id: 'posts.get', params: { id: '1' }, options: {} });

const responseOf = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The error for a response whose body is JSON, or text that is not JSON. */
function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  const error = responseError(core, outgoing, responseOf(status, body, headers));
  if (!error) throw new Error('it is a success');
  return error;
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

test.each([
  [404, fails({ code: 'NOT_FOUND', message: 'Gone', retryable: false, requestId: 'req_7' }), {}],
  [404, fails({ code: 'NO_SUCH_ENDPOINT', message: 'No', retryable: false }), { 'x-request-id': 'req_8' }],
  [400, fails({ code: 'VALIDATION_ERROR', message: 'No', retryable: false }), {}],
  [429, fails({ code: 'RATE_LIMITED', message: 'No', retryable: true }), { 'retry-after': '5, 7' }],
  [503, fails({ code: 'UNAVAILABLE', message: 'No', retryable: true }), {}],
  [504, fails({ code: 'UNAVAILABLE', message: 'No', retryable: true }), {}],
  [500, fails({ code: 'OWN', message: 'No', retryable: false }), {}],
  [502, '<h1>Down</h1>', {}],
  [503, '', {}],
])('what a program decides by does not need the second file: %i %j', (status, body, headers) => {
  const { name, code, retryable, mayRepeat, retryAfter, requestId } = read(status, body, headers);
  const lean = unexplained(outgoing, responseOf(status, body, headers));
  expect(lean).toMatchObject({ name, code, status, retryable, mayRepeat });
  expect([lean.retryAfter, lean.requestId]).toEqual([retryAfter, requestId]);
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
