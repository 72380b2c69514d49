import type { Hmac } from '../ports.ts';

const HEADER = encode('{"alg":"HS256","typ":"JWT"}');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Signs and verifies compact JWTs with HS256 and nothing else (RFC 7515, RFC 7518 section 3.2). Only tokens with
 * exactly the header that `sign` writes are verified: no other algorithm, no key that the token names itself, no second
 * way to write the same signature.
 */
export function createJwt(hmac: Hmac) {
  return {
    async sign(claims: object): Promise<string> {
      const text = `${HEADER}.${encode(JSON.stringify(claims))}`;
      return `${text}.${await hmac(text)}`;
    },
    /** The claims of a token with a valid signature, themselves unchecked; `undefined` for every other string. */
    async verify(token: string): Promise<unknown> {
      const [header, payload, signature, ...more] = token.split('.', 4);
      if (header !== HEADER || payload === undefined || signature === undefined || more.length > 0) return undefined;
      return isEqual(signature, await hmac(`${header}.${payload}`)) ? readClaims(token) : undefined;
    },
  };
}

/** The claims of a token, without a check of its signature; `undefined` if they cannot be read. */
export function readClaims(token: string): unknown {
  try {
    const payload = token.split('.')[1] ?? '';
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(utf8.decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** JSON in base64url. `btoa` cannot encode every character, so those outside ASCII are escaped. */
function encode(json: string): string {
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Compares in constant time. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
