import { type ApiCall, ApiError, type Around, admitted, type Clock, isPromise, visitorAddress } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { createTokenBuckets } from './token-bucket.ts';

/** Requests a second, in bursts of twice as many; what is left out is not limited. Each process counts its own. */
export interface RateLimits {
  /** Of one key, which is to say of all readers of one blog together. */
  readonly key?: number | undefined;
  /** Of one reader's address: a whole IPv4 address, or the first 64 bits of an IPv6 one. */
  readonly address?: number | undefined;
  /** Ad slots that one address requests: each of a batch counts. */
  readonly slots?: number | undefined;
  /** With a key that opens nothing, of one address. Keys that open a blog go on meanwhile. */
  readonly wrongKeys?: number | undefined;
}

/** Keys that are known to open a blog, however many wrong ones come from where they are used. */
const MAX_KEYS = 10_000;

/** The limits that are set, the outermost first: what one address may not send does not use up the key of all. */
export function limitRates({ key, address, slots, wrongKeys }: RateLimits, clock: Clock): Around[] {
  return [
    ...(address === undefined ? [] : [limitAddress(address, clock)]),
    ...(wrongKeys === undefined ? [] : [limitWrongKeys(wrongKeys, clock)]),
    ...(key === undefined ? [] : [limitKey(key, clock)]),
    ...(slots === undefined ? [] : [limitSlots(slots, clock)]),
  ];
}

function limitKey(perSecond: number, clock: Clock): Around {
  const buckets = createTokenBuckets(perSecond, clock);
  return admitted((blogId) => refuse(buckets.take(blogId), 'This key sends more requests than it may'));
}

function limitAddress(perSecond: number, clock: Clock): Around {
  const buckets = createTokenBuckets(perSecond, clock);
  return (call, next) => {
    refuse(buckets.take(ownerOf(call.caller.ip)), 'This address sends more requests than it may');
    return next();
  };
}

function limitSlots(perSecond: number, clock: Clock): Around {
  const buckets = createTokenBuckets(perSecond, clock);
  const limited = async (call: ApiCall): Promise<void> => {
    // A key that opens nothing is refused before the body is read.
    await call.findBlog();
    if (call.endpoint !== 'ads.deliver' && call.endpoint !== 'ads.deliverBatch') return;
    const slots = call.endpoint === 'ads.deliver' ? 1 : ((await call.body()).value?.slots.length ?? 1);
    refuse(buckets.take(ownerOf(call.caller.ip), slots), 'This address requests more ads than it may');
  };
  return (call, next) => {
    // The URL of a cached answer is not parsed.
    if (!call.request.url.includes('/ads/formats')) return next();
    return limited(call).then(next);
  };
}

function limitWrongKeys(perSecond: number, clock: Clock): Around {
  const buckets = createTokenBuckets(perSecond, clock);
  const good = new LRUCache<string, true>({ max: MAX_KEYS });
  return (call, next) => {
    const apiKey = call.request.header('x-api-key');
    // Without a key nothing is looked up.
    if (apiKey === null) return next();
    const owner = ownerOf(call.caller.ip);
    const known = good.has(apiKey);
    if (!known) refuse(buckets.wait(owner), 'Too many keys that open nothing came from this address');
    const note = <T>(answer: T): T => {
      if (call.error?.code === 'UNAUTHORIZED') {
        good.delete(apiKey);
        buckets.take(owner);
      } else if (!known && call.blog) good.set(apiKey, true);
      return answer;
    };
    const answer = next();
    return isPromise(answer) ? answer.then(note) : note(answer);
  };
}

/** Callers without an address share one bucket. */
const ownerOf = (ip: string | undefined): string => visitorAddress(ip) ?? '';

function refuse(wait: number, why: string): void {
  if (wait === 0) return;
  throw new ApiError('RATE_LIMITED', { message: `${why}; wait ${wait} s.`, headers: { 'retry-after': String(wait) } });
}
