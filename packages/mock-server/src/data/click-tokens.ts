import type { Tokens } from '@broadsheet/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const utf8 = new TextEncoder();
const HEADER = base64url(utf8.encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' })));

/** Signs compact JWTs (HS256) in plain JavaScript: pages on plain http and Hermes have no WebCrypto. */
export function createTokens(secret: string): Tokens {
  const key = utf8.encode(secret);
  const signature = (text: string) => base64url(hmac(sha256, key, utf8.encode(text)));
  return {
    sign(claims) {
      const text = `${HEADER}.${base64url(utf8.encode(JSON.stringify(claims)))}`;
      return `${text}.${signature(text)}`;
    },
    verify(token) {
      const [header, payload, signed, ...more] = token.split('.');
      if (header !== HEADER || !payload || more.length > 0) return undefined;
      return signed === signature(`${header}.${payload}`) ? JSON.parse(text(payload)) : undefined;
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
