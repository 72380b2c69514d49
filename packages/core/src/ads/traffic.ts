import type { Blog, Traffic } from '../store.ts';
import { originAllowed, type Provenance } from './origin.ts';
import { visitorAddress } from './visitor.ts';

/** The number of requests for ads of a blog that count per minute, from a visitor and from a server. */
const MOST_PER_MINUTE = { visitor: 60, server: 600 };
const MINUTE = 60_000;
/** The number of visitors, and of user agents, that are cached. */
const REMEMBERED = 10_000;
/** Characters of a user agent that are read; a header may have 16 KiB. */
const USER_AGENT_LENGTH = 512;

/** User agents of HTTP clients that run on servers: the headers of the visitor were not forwarded. */
const SERVER = /^(node|undici|Cloudflare-Workers|(Deno|Bun)\/\d[\w.+-]*)$/;

/** The signals by which the traffic of a delivery is classified. */
export interface TrafficSigns {
  readonly blog: Pick<Blog, 'id' | 'domains'>;
  readonly ip: string | undefined;
  readonly provenance: Provenance;
  readonly userAgent: string | null;
  /** The header `Sec-Purpose`. */
  readonly purpose: string | null;
}

/** Classifies the traffic of a delivery at a given time. */
export type TrafficJudge = (signs: TrafficSigns, now: number) => Traffic;

/**
 * Classifies deliveries by their origin. The deliveries of a visitor within a minute are counted per process, in
 * memory.
 *
 * @param isBot whether a user agent is that of a crawler or a tool
 */
export function createTrafficJudge(isBot: (userAgent: string) => boolean): TrafficJudge {
  let minute = 0;
  const visits = new Map<string, number>();
  const bots = new Map<string, boolean>();

  /** Matching a user agent is the slowest step, so its result is cached. */
  function isKnownBot(userAgent: string): boolean {
    const name = userAgent.slice(0, USER_AGENT_LENGTH);
    // Not cached, because the slice would retain the whole header. Those of browsers are shorter.
    if (name !== userAgent) return isBot(name);
    const known = bots.get(name);
    if (known !== undefined) return known;
    if (bots.size >= REMEMBERED) bots.clear();
    const found = isBot(name);
    bots.set(name, found);
    return found;
  }

  function isBurst({ blog, ip }: TrafficSigns, now: number, from: keyof typeof MOST_PER_MINUTE): boolean {
    const address = visitorAddress(ip);
    if (address === undefined) return false;
    const current = Math.floor(now / MINUTE);
    if (current !== minute || visits.size >= REMEMBERED) visits.clear();
    minute = current;
    const visitor = `${from} ${blog.id} ${address}`;
    const visited = (visits.get(visitor) ?? 0) + 1;
    visits.set(visitor, visited);
    return visited > MOST_PER_MINUTE[from];
  }

  return (signs, now) => {
    const { blog, provenance, userAgent, purpose } = signs;
    const isForeign = !originAllowed(blog.domains, provenance);
    // Only a server may leave out its page: it is `unknown`.
    if (isForeign && (provenance.origin ?? provenance.referer)) return 'foreign';
    if (purpose?.toLowerCase().includes('prefetch')) return 'prefetch';
    if (!userAgent || SERVER.test(userAgent)) return isBurst(signs, now, 'server') ? 'burst' : 'unknown';
    if (isKnownBot(userAgent)) return 'bot';
    if (isForeign) return 'foreign';
    return isBurst(signs, now, 'visitor') ? 'burst' : 'valid';
  };
}
