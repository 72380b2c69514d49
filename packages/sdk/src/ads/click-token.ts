/** The claims of a click token that say how long it lives, in milliseconds; unsigned, so for courtesy alone. */
export interface TokenLife {
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
    return { issuedAt: (typeof iat === 'number' ? iat : exp) * 1000, expiresAt: exp * 1000 };
  } catch {
    return undefined;
  }
}
