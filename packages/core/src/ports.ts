import type { ApiStore, Awaitable } from './store.ts';

/** The time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** The random generator. */
export interface Random {
  /** A random UUID (version 4). */
  uuid(): string;
  /** A whole number in `[0, bound)`, each equally likely. */
  below(bound: number): number;
}

/** HMAC-SHA-256 of the UTF-8 of a text, in base64url without padding; the key is the secret of the installation. */
export type Hmac = (text: string) => Awaitable<string>;

/** The dependencies of an API. */
export interface Ports {
  readonly store: ApiStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Signs click tokens and preview tokens. */
  readonly hmac: Hmac;
  /** Turns an IP address into an opaque string before it is stored; the server uses a keyed hash. */
  readonly fingerprint: (address: string) => string;
  /** Whether a user agent belongs to a crawler or a tool. */
  readonly isBot: (userAgent: string) => boolean;
}
