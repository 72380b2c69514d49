/** The claims of a click token. The checker reads them without verifying the signature. */
export interface Claims {
  readonly ad: string;
  readonly id: string;
  readonly placement?: string;
  /** Whether the impression comes from a reader, or from a server that may have one. */
  readonly isValid: boolean;
}

export function claimsOf(token: string): Claims {
  const { sub, jti, ...claims } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { ...claims, ad: sub, id: jti, isValid: ['valid', 'unknown'].includes(claims.traffic ?? 'valid') };
}
