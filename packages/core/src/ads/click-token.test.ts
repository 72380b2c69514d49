import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClickTokens } from './click-token.ts';

const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url');
const tokens = createClickTokens(hmac);
const at = Date.parse('2026-06-01T10:00:00.250Z');
const iat = Math.floor(at / 1000);
const claims = { purpose: 'ad-click', sub: 'ad', blog: 'blog', jti: 'token', iat, exp: iat + 600 };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Reads a token with a good signature, whatever it claims. */
const read = async (given: unknown, now = at) => {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(given)}`;
  return tokens.read(`${text}.${hmac(text)}`, 'blog', now);
};

test('a token names its ad and its blog, and lasts ten minutes from its second', async () => {
  const issued = async (blog: string, jti: string, now: number, placement?: string) =>
    tokens.read(await tokens.issue({ sub: 'ad-ä😀', blog, jti, placement }, now), blog, now);
  const given = { ...claims, sub: 'ad-ä😀' };
  expect(await issued('blög', 'first', at)).toEqual({ ...given, blog: 'blög', jti: 'first' });
  expect(await issued('blög', 'second', at + 1)).toEqual({ ...given, blog: 'blög', jti: 'second' });
  expect(await issued('blog', 'third', at)).toEqual({ ...given, jti: 'third' });
  const later = { iat: iat + 1, exp: iat + 601 };
  expect(await issued('blog', 'third', at, 'töp')).toEqual({ ...given, jti: 'third', placement: 'töp' });
  expect(await issued('blog', 'fourth', at + 1000)).toEqual({ ...given, ...later, jti: 'fourth' });
});

test('it is good to the end of its ten minutes, without leeway', async () => {
  expect(await read(claims, claims.exp * 1000 - 1)).toEqual(claims);
  await expect(read(claims, claims.exp * 1000)).rejects.toMatchObject({ code: 'CLICK_TOKEN_EXPIRED' });
});

describe('claims that the API does not write are refused, however well they are signed', () => {
  test.each([
    ['of another purpose', { ...claims, purpose: 'sign-in' }],
    ['without a purpose', { ...claims, purpose: undefined }],
    ['of another blog', { ...claims, blog: 'other' }],
    ['of no blog', { ...claims, blog: '' }],
    ['with the blog in a list', { ...claims, blog: ['blog'] }],
    ['without an ad', { ...claims, sub: undefined }],
    ['with an ad that is a number', { ...claims, sub: 7 }],
    ['without an id', { ...claims, jti: '' }],
    ['with an end as text', { ...claims, exp: String(claims.exp) }],
    ['with an end in a fraction', { ...claims, exp: claims.exp + 0.5 }],
    ['with an end that is no number', { ...claims, exp: null }],
    ['without an end', { ...claims, exp: undefined }],
    ['with a beginning as text', { ...claims, iat: String(iat) }],
    ['with a placement that is no text', { ...claims, placement: 7 }],
    ['that are a list', [claims]],
    ['that are a text', 'claims'],
    ['that are null', null],
  ])('%s', async (_, given) => {
    await expect(read(given)).rejects.toMatchObject({ code: 'CLICK_TOKEN_INVALID' });
  });
});

test('a text that is no token is invalid', async () => {
  await expect(tokens.read('hello', 'blog', at)).rejects.toMatchObject({ code: 'CLICK_TOKEN_INVALID' });
});
