import { createHmac, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import * as jose from 'jose';
import { describe, expect, test } from 'vitest';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { createTokens, readClaims, type Validity } from './tokens.ts';

const secret = 'a secret of at least thirty-two characters';
const key = new TextEncoder().encode(secret);
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

interface Claims extends Validity {
  readonly sub: string;
  readonly more?: unknown;
}
const kind = { purpose: 'ad-click', ttl: 600, required: ['sub'] } as const;
const tokens = createTokens<Claims>(hmac, kind);
const claims = { purpose: 'ad-click', sub: 'ad', blog: 'blog', jti: 'token', iat: 1000, exp: 1600 };

const base64url = (text: string) => Buffer.from(text).toString('base64url');
/** A token with a valid signature over any header and payload. */
const signed = (header: string, payload: string) => `${header}.${payload}.${hmac(`${header}.${payload}`)}`;
const withHeader = (header: object) => signed(base64url(JSON.stringify(header)), base64url(JSON.stringify(claims)));
const good = withHeader({ alg: 'HS256', typ: 'JWT' });

const anyClaims = fc.record({ sub: fc.string({ unit: 'binary', minLength: 1 }), more: fc.jsonValue() });
const asJson = (value: object) => JSON.parse(JSON.stringify(value));

test('jose verifies a token that was issued here', async () => {
  const options = { algorithms: ['HS256'], currentDate: new Date(1_000_000) };
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(anyClaims, async (given) => {
        const token = await tokens.issue(given, 1_000_999);
        const { payload, protectedHeader } = await jose.jwtVerify(token, key, options);
        expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
        expect(payload).toEqual(asJson({ purpose: 'ad-click', ...given, iat: 1000, exp: 1600 }));
      }),
      { seed, numRuns: 100 },
    );
});

test('a token that jose signed is verified here', async () => {
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(anyClaims, async (given) => {
        const signed = { purpose: 'ad-click', ...given, iat: 1000, exp: 1600 };
        const token = await new jose.SignJWT(signed).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
        expect(await tokens.verify(token)).toEqual(asJson(signed));
      }),
      { seed, numRuns: 100 },
    );
});

test('an asynchronous HMAC gives the same results as a synchronous one', async () => {
  const late = createTokens<Claims>(async (text) => hmac(text), kind);
  expect(await late.issue({ sub: 'ad' }, 0)).toBe(await tokens.issue({ sub: 'ad' }, 0));
  expect(await late.verify(good)).toEqual(claims);
});

describe('tokens that are refused', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const by = (alg: string, signer: Parameters<jose.SignJWT['sign']>[0], more: object = {}) =>
    new jose.SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT', ...more }).sign(signer);

  test.each([
    ['another secret', () => by('HS256', new TextEncoder().encode(`${secret}!`))],
    ['HS384', () => by('HS384', key)],
    ['HS512', () => by('HS512', key)],
    ['RS256', () => by('RS256', privateKey)],
    ['no algorithm', () => new jose.UnsecuredJWT(claims).encode()],
    ['the algorithm "none" over a valid signature', () => withHeader({ alg: 'none', typ: 'JWT' })],
    ['a key id', () => by('HS256', key, { kid: '../../dev/null' })],
    ['an embedded key', () => by('HS256', key, { jwk: { kty: 'oct', k: base64url(secret) } })],
    ['a URL of keys', () => by('HS256', key, { jku: 'https://evil.example/keys' })],
    ['another spelling of the algorithm', () => withHeader({ alg: 'hs256', typ: 'JWT' })],
    ['another order of the header fields', () => withHeader({ typ: 'JWT', alg: 'HS256' })],
    ['no type', () => withHeader({ alg: 'HS256' })],
    ['a payload that is not JSON', () => signed(good.split('.')[0] ?? '', base64url('{"purpose":'))],
    ['a payload that is not base64url', () => signed(good.split('.')[0] ?? '', '%%%')],
    ['a payload that is not UTF-8', () => signed(good.split('.')[0] ?? '', Buffer.from([0xff]).toString('base64url'))],
    ['no payload', () => signed(good.split('.')[0] ?? '', '')],
    ['no signature', () => good.slice(0, good.lastIndexOf('.') + 1)],
    ['two parts', () => good.slice(0, good.lastIndexOf('.'))],
    ['a fourth part', () => `${good}.`],
    ['five parts, like an encrypted token', () => `${good}.a.b`],
    ['padding', () => `${good}=`],
    ['leading white space', () => ` ${good}`],
    ['trailing white space', () => `${good}\n`],
    ['white space between the parts', () => good.replaceAll('.', '. ')],
    ['a character of another script', () => good.replace('e', 'е')],
    ['a character outside the Basic Multilingual Plane', () => `${good.slice(0, -1)}😀`],
    ['a string that is not a token', () => 'hello'],
    ['an empty string', () => ''],
    ['dots', () => '..'],
    ['a megabyte', () => 'a'.repeat(2 ** 20)],
    ['a megabyte of dots', () => '.'.repeat(2 ** 20)],
    ['a megabyte of signature', () => good + 'a'.repeat(2 ** 20)],
  ])('%s', async (_, token) => {
    expect(await tokens.verify(await token())).toBeUndefined();
  });

  test('with another encoding of the same signature', async () => {
    // The last of the characters that encode 32 bytes has two unused bits: four characters decode to the same
    // signature.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const bytes = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url');
    const same = [...alphabet].filter((last) => bytes(good.slice(0, -1) + last).equals(bytes(good)));
    expect(same).toHaveLength(4);
    const verified = await Promise.all(same.map((last) => tokens.verify(good.slice(0, -1) + last)));
    expect(verified.filter((found) => found !== undefined)).toEqual([claims]);
  });

  test('with any character changed, removed or added', async () => {
    for (let at = 0; at < good.length; at += 1) {
      const other = good[at] === 'A' ? 'B' : 'A';
      for (const middle of [other, '', `${good[at]}${other}`]) {
        const forged = good.slice(0, at) + middle + good.slice(at + 1);
        expect(await tokens.verify(forged), `character ${at} as ${middle}`).toBeUndefined();
      }
    }
  });
});

test('claims can be read without the secret, and never throw', () => {
  expect(readClaims(good)).toEqual(claims);
  for (const text of ['', '.', 'a.b.c', '.e30', 'a.%.c', good.slice(0, 40)])
    expect(() => readClaims(text)).not.toThrow();
});
