import fc from 'fast-check';
import { createSigner } from 'fast-jwt';
import { describe, expect, it } from 'vitest';
import { keyedFingerprint } from './fingerprint.ts';
import { systemRandom } from './random.ts';
import { jwtTokens } from './tokens.ts';

const secret = 'a secret of at least thirty-two characters';
const claims = { purpose: 'ad-click', sub: 'ad', blog: 'blog', jti: 'token', iat: 1000, exp: 1600 } as const;

describe('jwtTokens', () => {
  it('signs as a JWT library does, to the byte', () => {
    const library = createSigner({ key: secret, algorithm: 'HS256' });
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uuid(), (sub, blog, jti) => {
        const said = { ...claims, sub, blog, jti };
        expect(jwtTokens(secret).sign(said)).toBe(library(said));
      }),
    );
  });

  it('hands the claims back unread by time', async () => {
    const tokens = jwtTokens(secret);
    expect(tokens.verify(await tokens.sign(claims))).toEqual(claims);
  });

  it.each([
    ['another secret', createSigner({ key: `${secret}!`, algorithm: 'HS256' })({ ...claims })],
    ['another algorithm', createSigner({ key: secret, algorithm: 'HS512' })({ ...claims })],
    ['no signature', createSigner({ algorithm: 'none' })({ ...claims })],
    ['no token', 'hello'],
    ['nothing', ''],
  ])('refuses %s', (_, token) => {
    expect(jwtTokens(secret).verify(token)).toBeUndefined();
  });

  it('refuses a token with any character changed', async () => {
    const tokens = jwtTokens(secret);
    const token = await tokens.sign(claims);
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(tokens.verify(token.slice(0, at) + other + token.slice(at + 1)), `character ${at}`).toBeUndefined();
    }
  });
});

describe('keyedFingerprint', () => {
  it('is the same for the same address and secret, and for nothing else', () => {
    const fingerprint = keyedFingerprint(secret);
    expect(fingerprint('192.0.2.1')).toBe(keyedFingerprint(secret)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).not.toBe(fingerprint('192.0.2.2'));
    expect(fingerprint('192.0.2.1')).not.toBe(keyedFingerprint(`${secret}!`)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).toMatch(/^[\w-]{22}$/);
  });
});

describe('systemRandom', () => {
  it('stays below the bound, one included', () => {
    expect(systemRandom.below(1)).toBe(0);
    const drawn = new Set(Array.from({ length: 400 }, () => systemRandom.below(3)));
    expect([...drawn].sort()).toEqual([0, 1, 2]);
  });
});
