import type { Hmac } from './ports.ts';

const HEADER = encode('{"alg":"HS256","typ":"JWT"}');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The properties that distinguish one kind of token from another. */
interface TokenKind<Claims> {
  readonly purpose: string;
  /** Seconds for which a token is valid. */
  readonly ttl: number;
  /** The claims that are never empty, and those that may be left out; all of them are strings. */
  readonly required: readonly (keyof Claims)[];
  readonly optional?: readonly (keyof Claims)[];
}

/** When a token was issued, and when it expires, in seconds since the epoch. */
export interface Validity {
  readonly iat: number;
  readonly exp: number;
}

/** Tokens of one kind. */
export interface Tokens<Claims extends Validity> {
  /** Issues a token; `now` is in milliseconds. */
  issue(claims: Omit<Claims, keyof Validity>, now: number): Promise<string>;
  /** The claims of a token that was issued here, even if it has expired; `undefined` for every other string. */
  verify(token: string): Promise<Claims | undefined>;
}

/**
 * Issues and verifies tokens of one kind (api.md 3): compact JWTs with HS256 and nothing else (RFC 7515, RFC 7518 section
 * 3.2). Only tokens with exactly the header that is issued here are verified: no other algorithm, no key that the token
 * names itself, no second way to write the same signature.
 */
export function createTokens<Claims extends Validity>(hmac: Hmac, kind: TokenKind<Claims>): Tokens<Claims> {
  const { purpose, ttl, required, optional = [] } = kind;
  return {
    async issue(given, now) {
      const iat = Math.floor(now / 1000);
      const text = `${HEADER}.${encode(JSON.stringify({ purpose, ...given, iat, exp: iat + ttl }))}`;
      return `${text}.${await hmac(text)}`;
    },
    async verify(token) {
      const [header, payload, signature, ...more] = token.split('.', 4);
      if (header !== HEADER || payload === undefined || signature === undefined || more.length > 0) return undefined;
      if (!isEqual(signature, await hmac(`${header}.${payload}`))) return undefined;
      const claims = Object(readClaims(token)) as Claims & { readonly purpose: unknown };
      const isComplete = required.every((name) => typeof claims[name] === 'string' && claims[name] !== '');
      const isPlain = optional.every((name) => claims[name] === undefined || typeof claims[name] === 'string');
      const hasTimes = Number.isInteger(claims.iat) && Number.isInteger(claims.exp);
      return claims.purpose === purpose && isComplete && isPlain && hasTimes ? claims : undefined;
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
