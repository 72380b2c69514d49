/** The claims of a click token. The checker reads them without verifying the signature. */
export interface Claims {
  readonly ad: string;
  readonly id: string;
  readonly placement?: string | undefined;
  readonly traffic: string;
  /** Whether the impression comes from a reader, or from a server that may have one. */
  readonly isValid: boolean;
  /** When it was issued, by the clock of a server, in milliseconds since the epoch. */
  readonly issuedAt: number;
}

export function claimsOf(token: string): Claims {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const { sub, jti, placement, traffic = 'valid', iat } = claims;
  const isValid = ['valid', 'unknown'].includes(traffic);
  return { ad: sub, id: jti, placement, traffic, isValid, issuedAt: iat * 1000 };
}
