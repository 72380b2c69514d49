import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTokens } from './click-tokens.ts';

const claims = { purpose: 'ad-click', sub: 'ad-ä😀', blog: 'b', jti: 'j', iat: 1, exp: 601 } as const;

test('a token is a JWT that another implementation signs alike', () => {
  const token = String(createTokens('secret').sign(claims));
  const [header = '', payload = '', signature] = token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims);
  expect(signature).toBe(createHmac('sha256', 'secret').update(`${header}.${payload}`).digest('base64url'));
});

test('what was signed is verified; what was touched, or signed elsewhere, is not', () => {
  const tokens = createTokens('secret');
  const token = String(tokens.sign(claims));
  expect(tokens.verify(token)).toEqual(claims);
  expect(tokens.verify(`${token}x`)).toBeUndefined();
  expect(tokens.verify(`${token}.x`)).toBeUndefined();
  expect(tokens.verify('nonsense')).toBeUndefined();
  expect(createTokens('other').verify(token)).toBeUndefined();
  const none = `${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`;
  expect(tokens.verify(none)).toBeUndefined();
});
