import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTokens } from './click-tokens.ts';

const claims = { purpose: 'ad-click', sub: 'ad-ä😀', blog: 'b', jti: 'j', iat: 1, exp: 601 } as const;

// A page on plain http, and Hermes, have no WebCrypto.
describe.each([
  ['with WebCrypto', globalThis.crypto],
  ['without WebCrypto', {}],
])('%s', (_, platform) => {
  test('a token is a JWT that another implementation signs alike', async () => {
    const token = await createTokens('secret', platform).sign(claims);
    const [header = '', payload = '', signature] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims);
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${header}.${payload}`).digest('base64url'));
  });

  test('what was signed is verified; what was touched, or signed elsewhere, is not', async () => {
    const tokens = createTokens('secret', platform);
    const token = await tokens.sign(claims);
    expect(await tokens.verify(token)).toEqual(claims);
    expect(await tokens.verify(`${token}x`)).toBeUndefined();
    expect(await tokens.verify(`${token}.x`)).toBeUndefined();
    expect(await tokens.verify('nonsense')).toBeUndefined();
    expect(await createTokens('other', platform).verify(token)).toBeUndefined();
    const none = `${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`;
    expect(await tokens.verify(none)).toBeUndefined();
  });
});
