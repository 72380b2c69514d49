import { type Awaitable, isPromise } from '../awaitable.ts';
import type { Hmac } from '../ports.ts';

/** Signs and verifies compact JWTs with HS256 and nothing else (RFC 7515, RFC 7518 section 3.2). */
export interface Jwt {
  /** Encodes the claims that several tokens share, at least one, which is most of the work. */
  begin(shared: object): string;
  /** Signs shared claims with those of one token, at least one: JSON of an object behind its opening brace. */
  sign(begin: string, own: string): Awaitable<string>;
  /** The claims of a token with a good signature, whatever they are; `undefined` for every other text. */
  verify(token: string): Promise<unknown>;
}

const HEADER = encode('{"alg":"HS256","typ":"JWT"}');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Makes tokens by an HMAC. Only tokens with the very header that `sign` writes are verified: no other algorithm, no key
 * that the token names itself, no second way to write the same signature.
 */
export function createJwt(hmac: Hmac): Jwt {
  return {
    begin(shared) {
      const claims = ascii(JSON.stringify(shared)).slice(1, -1);
      // Only what is a multiple of three bytes can be encoded by itself; JSON may have spaces anywhere.
      const spaces = ' '.repeat(2 - ((claims.length + 1) % 3));
      return `${HEADER}.${encode(`{${spaces}${claims},`)}`;
    },
    sign(begin, own) {
      const text = begin + encode(ascii(own));
      const signature = hmac(text);
      return isPromise(signature) ? signature.then((late) => `${text}.${late}`) : `${text}.${signature}`;
    },
    async verify(token) {
      const [header, payload, signature, ...more] = token.split('.', 4);
      if (header !== HEADER || payload === undefined || signature === undefined || more.length > 0) return undefined;
      return isEqual(signature, await hmac(`${header}.${payload}`)) ? readClaims(token) : undefined;
    },
  };
}

/** The claims of a token, whoever signed it; `undefined` when there are none. */
export function readClaims(token: string): unknown {
  try {
    const payload = token.split('.')[1] ?? '';
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(utf8.decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** JSON, escaped so far that `btoa` takes it. */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text of ASCII in base64url. */
function encode(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Compares in constant time, whatever differs. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
