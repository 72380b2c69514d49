import type { Store } from './store.ts';

/** The time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Chance. */
export interface Random {
  /** A random UUID (version 4). */
  uuid(): string;
  /** A whole number in `[0, bound)`, each equally likely. */
  below(bound: number): number;
}

/** What a click token says (a JWT signed with HS256). Times are in seconds since the epoch. */
export interface ClickClaims {
  readonly purpose: 'ad-click';
  /** The ad. */
  readonly sub: string;
  readonly blog: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/**
 * Signs and checks compact JWTs (HS256). `verify` answers for the signature and the algorithm alone and hands the
 * claims over unread: what they must say, and until when, are rules of the API.
 */
export interface Tokens {
  sign(claims: ClickClaims): string | Promise<string>;
  /** The claims, or `undefined` when the token is malformed, forged or signed in another way. */
  verify(token: string): unknown;
}

/** What an operation works with. */
export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: Tokens;
  readonly fingerprint: (address: string) => string;
}
