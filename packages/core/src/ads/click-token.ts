import { LIMITS } from '@broadsheet/contract';
import { Failure } from '../http/failure.ts';
import type { ClickClaims } from '../ports.ts';

/** The claims of a token for a click on this ad, good from now for ten minutes (api.md 3). */
export function clickClaims(blog: string, adId: string, tokenId: string, now: number): ClickClaims {
  const iat = Math.floor(now / 1000);
  return { purpose: 'ad-click', sub: adId, blog, jti: tokenId, iat, exp: iat + LIMITS.clickTokenTtl };
}

/**
 * Reads the claims of a token whose signature was checked.
 *
 * @throws Failure `CLICK_TOKEN_INVALID` for claims of another kind or of another blog, `CLICK_TOKEN_EXPIRED` after
 * its ten minutes, without leeway.
 */
export function readClickClaims(claims: unknown, blog: string, now: number): ClickClaims {
  if (!isClickClaims(claims) || claims.blog !== blog) throw new Failure('CLICK_TOKEN_INVALID');
  if (now >= claims.exp * 1000) throw new Failure('CLICK_TOKEN_EXPIRED');
  return claims;
}

function isClickClaims(value: unknown): value is ClickClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { purpose, sub, blog, jti, iat, exp } = value as Record<keyof ClickClaims, unknown>;
  const words = [sub, blog, jti].every((word) => typeof word === 'string' && word !== '');
  return purpose === 'ad-click' && words && Number.isInteger(iat) && Number.isInteger(exp);
}
