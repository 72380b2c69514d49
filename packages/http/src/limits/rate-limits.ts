import { ApiError, type Around, type BlogCall, type Clock, type Limits, visitorAddress } from '@broadsheet/core';
import { createTokenBuckets } from './token-bucket.ts';

/** Requests per second, with bursts of twice as many. Each process counts separately. */
export interface RateLimits {
  /** Requests with one key, which all readers of a blog share; unlimited by default. */
  readonly key?: number | undefined;
  /** Requests from one IPv4 address, or from the first 64 bits of an IPv6 address; unlimited by default. */
  readonly address?: number | undefined;
  /** Ad slots requested from one IP address: each slot of a batch counts; 1000 by default, `Infinity` for no limit. */
  readonly slots?: number | undefined;
}

/**
 * A site that renders its pages on a server requests the ads of all its readers from one IP address, so the default is
 * far above what one reader sends.
 */
const DEFAULT_SLOTS = 1000;

/** The limits of a caller come first, because the refused requests of an IP address must not use up the key's limit. */
export function limitRates({ key = Infinity, address = Infinity }: RateLimits, clock: Clock): Limits {
  const limitAddress = address === Infinity ? undefined : createAddressLimit(address, clock);
  const take = key === Infinity ? undefined : createTokenBuckets(key, clock);
  return {
    ...(limitAddress && { caller: ({ ip }) => limitAddress(ip) }),
    ...(take && { blog: (blogId) => throwIfLimited(take(blogId), 'This key has exceeded its rate limit') }),
  };
}

/** Throws when an IP address exceeds its rate limit. */
export function createAddressLimit(perSecond: number, clock: Clock): (ip: string | undefined) => void {
  const take = createTokenBuckets(perSecond, clock);
  return (ip) => throwIfLimited(take(ownerOf(ip)), 'This IP address has exceeded its rate limit');
}

/** The limit of ad slots, unless it is `Infinity`. */
export function limitSlots({ slots: perSecond = DEFAULT_SLOTS }: RateLimits, clock: Clock): Around<never, BlogCall>[] {
  if (perSecond === Infinity) return [];
  const take = createTokenBuckets(perSecond, clock);
  const limit: Around<never, BlogCall> = async (call, next) => {
    if (call.endpoint !== 'ads.deliver' && call.endpoint !== 'ads.deliverBatch') return next();
    const slots = call.endpoint === 'ads.deliver' ? 1 : ((await call.body()).value?.slots.length ?? 1);
    throwIfLimited(take(ownerOf(call.caller.ip), slots), 'This IP address has exceeded its rate limit for ads');
    return next();
  };
  return [limit];
}

/** Callers without an IP address share one bucket. */
const ownerOf = (ip: string | undefined): string => visitorAddress(ip) ?? '';

function throwIfLimited(wait: number, why: string): void {
  if (wait === 0) return;
  throw new ApiError('RATE_LIMITED', { message: `${why}.`, headers: { 'retry-after': String(wait) } });
}
