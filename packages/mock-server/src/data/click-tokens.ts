import type { Tokens } from '@broadsheet/core';
import { createHmac } from './hmac.ts';

const utf8 = new TextEncoder();
const HEADER = base64url(utf8.encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' })));

/** Signs compact JWTs (HS256). */
export function createTokens(secret: string, crypto?: Partial<Crypto>): Tokens {
  const hmac = createHmac(secret, crypto);
  const signature = async (text: string) => base64url(await hmac(text));
  return {
    async sign(claims) {
      const text = `${HEADER}.${base64url(utf8.encode(JSON.stringify(claims)))}`;
      return `${text}.${await signature(text)}`;
    },
    async verify(token) {
      const [header, payload, signed, ...more] = token.split('.');
      if (header !== HEADER || !payload || more.length > 0) return undefined;
      return signed === (await signature(`${header}.${payload}`)) ? JSON.parse(text(payload)) : undefined;
    },
  };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function text(encoded: string): string {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}
