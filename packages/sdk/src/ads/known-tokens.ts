import { LIMITS } from '@broadsheet/contract';
import type { Call } from '../calls/call.ts';
import type { AdTrackingResult } from '../generated/resources.ts';

/** A click token that was delivered or clicked. */
export interface KnownToken {
  /** By the clock of this machine: its life counts from the moment it came, so a wrong clock does no harm. */
  readonly expiresAt: number;
  click?: Call<AdTrackingResult> | undefined;
}

/** Tokens remembered at most: a server that delivers more forgets the oldest, which then are judged by the API alone. */
const MOST = 10_000;

/** The click tokens of a client. Remembering one costs the same however many there are. */
export class KnownTokens {
  readonly #tokens = new Map<string, KnownToken>();

  get(token: string): KnownToken | undefined {
    return this.#tokens.get(token);
  }

  remember(token: string): KnownToken {
    const now = Date.now();
    // In the order in which they came, and all live equally long: the first that is not over ends the search.
    for (const [old, { expiresAt }] of this.#tokens) {
      if (expiresAt > now && this.#tokens.size < MOST) break;
      this.#tokens.delete(old);
    }
    const life = readTokenLife(token);
    const known = { expiresAt: life ? now + life.expiresAt - life.issuedAt : now + LIMITS.clickTokenTtl * 1000 };
    this.#tokens.set(token, known);
    return known;
  }
}

/** The claims of a click token that say how long it lives, in milliseconds; unsigned, so for courtesy alone. */
interface TokenLife {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Reads when a click token ends, or `undefined` when it is not a JWT that says so: then the server decides. */
export function readTokenLife(token: string): TokenLife | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const { iat, exp } = claims as { iat?: unknown; exp?: unknown };
    if (typeof exp !== 'number') return undefined;
    return { issuedAt: (typeof iat === 'number' ? iat : exp - LIMITS.clickTokenTtl) * 1000, expiresAt: exp * 1000 };
  } catch {
    return undefined;
  }
}
