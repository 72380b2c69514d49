import { createHmac, createSecretKey } from 'node:crypto';
import type { ClickClaims, Tokens } from '@broadsheet/core';
import { createVerifier } from 'fast-jwt';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = base64url({ alg: 'HS256', typ: 'JWT' });

/**
 * Click tokens as JWTs signed with HS256 and nothing else. What the claims say, their times included, is left to the
 * API, so the verifier looks at the signature alone.
 */
export function jwtTokens(secret: string): Tokens {
  const key = createSecretKey(secret, 'utf8');
  const verify = createVerifier<string>({
    key: secret,
    algorithms: ['HS256'],
    ignoreExpiration: true,
    ignoreNotBefore: true,
    cache: false,
  });
  return {
    sign(claims: ClickClaims) {
      const text = `${HEADER}.${base64url(claims)}`;
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    },
    verify(token) {
      try {
        return verify(token);
      } catch {
        return undefined;
      }
    },
  };
}
