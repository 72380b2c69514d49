import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClickTokens, readClickToken } from './click.ts';

const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url');
const tokens = createClickTokens(hmac);
const at = Date.parse('2026-06-01T10:00:00.250Z');
const iat = Math.floor(at / 1000);
const claims = { purpose: 'ad-click', sub: 'ad', blog: 'blog', jti: 'token', iat, exp: iat + 600 };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const readToken = (token: string, blogId: string, now: number) => readClickToken(tokens, token, { blogId, at: now });
/** Reads a token with a valid signature and any claims. */
const read = async (given: unknown, now = at) => {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(given)}`;
  return readToken(`${text}.${hmac(text)}`, 'blog', now);
};

test('a token names its ad and its blog, and is valid for ten minutes', async () => {
  const issued = async (blog: string, jti: string, now: number, placement?: string) =>
    readToken(await tokens.issue({ sub: 'ad-ä😀', blog, jti, placement }, now), blog, now);
  const given = { ...claims, sub: 'ad-ä😀' };
  expect(await issued('blög', 'first', at)).toEqual({ ...given, blog: 'blög', jti: 'first' });
  expect(await issued('blög', 'second', at + 1)).toEqual({ ...given, blog: 'blög', jti: 'second' });
  expect(await issued('blog', 'third', at)).toEqual({ ...given, jti: 'third' });
  const later = { iat: iat + 1, exp: iat + 601 };
  expect(await issued('blog', 'third', at, 'töp')).toEqual({ ...given, jti: 'third', placement: 'töp' });
  expect(await issued('blog', 'fourth', at + 1000)).toEqual({ ...given, ...later, jti: 'fourth' });
});

test('a token expires after exactly ten minutes, without leeway', async () => {
  expect(await read(claims, claims.exp * 1000 - 1)).toEqual(claims);
  await expect(read(claims, claims.exp * 1000)).rejects.toMatchObject({ code: 'CLICK_TOKEN_EXPIRED' });
});

describe('claims that the API never writes are refused, even with a valid signature', () => {
  test.each([
    ['of another purpose', { ...claims, purpose: 'sign-in' }],
    ['without a purpose', { ...claims, purpose: undefined }],
    ['of another blog', { ...claims, blog: 'other' }],
    ['of no blog', { ...claims, blog: '' }],
    ['with the blog in an array', { ...claims, blog: ['blog'] }],
    ['without an ad', { ...claims, sub: undefined }],
    ['with an ad that is a number', { ...claims, sub: 7 }],
    ['without an id', { ...claims, jti: '' }],
    ['with an expiry that is a string', { ...claims, exp: String(claims.exp) }],
    ['with a fractional expiry', { ...claims, exp: claims.exp + 0.5 }],
    ['with an expiry of null', { ...claims, exp: null }],
    ['without an expiry', { ...claims, exp: undefined }],
    ['with an issue time that is a string', { ...claims, iat: String(iat) }],
    ['with a placement that is not a string', { ...claims, placement: 7 }],
    ['that are an array', [claims]],
    ['that are a string', 'claims'],
    ['that are null', null],
  ])('%s', async (_, given) => {
    await expect(read(given)).rejects.toMatchObject({ code: 'CLICK_TOKEN_INVALID' });
  });
});

test('a string that is not a token is invalid', async () => {
  await expect(readToken('hello', 'blog', at)).rejects.toMatchObject({ code: 'CLICK_TOKEN_INVALID' });
});
