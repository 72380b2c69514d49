import type { Blog, Traffic } from '../store.ts';
import { originAllowed, type Provenance } from './origin.ts';
import { visitorAddress } from './visitor.ts';

/** Deliveries that a visitor may get of a blog within a minute. */
const MOST_PER_MINUTE = 60;
const MINUTE = 60_000;
/** Visitors and user agents that are remembered. */
const REMEMBERED = 10_000;
/** Characters of a user agent that are read. A header may have 16 KiB, which would be remembered 10,000 times. */
const USER_AGENT_LENGTH = 512;

/** What HTTP clients of servers call themselves: nobody passed on the headers of a visitor. */
const SERVER = /^(node|undici|Deno\/|Bun\/|Cloudflare-Workers)/;

/** What the traffic of a delivery is judged by. */
export interface TrafficSigns {
  readonly blog: Pick<Blog, 'id' | 'domains'>;
  readonly ip: string | undefined;
  readonly provenance: Provenance;
  readonly userAgent: string | null;
  /** The header `Sec-Purpose`. */
  readonly purpose: string | null;
}

/**
 * Judges from where deliveries come. A visitor's deliveries of the current minute are counted here, in this process.
 *
 * @param isBot whether a user agent is that of a crawler or a tool
 */
export function createTrafficJudge(isBot: (userAgent: string) => boolean) {
  let minute = 0;
  const visits = new Map<string, number>();
  const bots = new Map<string, boolean>();

  /** Matching a user agent takes longer than all the rest. */
  function isKnownBot(userAgent: string): boolean {
    const name = userAgent.slice(0, USER_AGENT_LENGTH);
    const known = bots.get(name);
    if (known !== undefined) return known;
    if (bots.size >= REMEMBERED) bots.clear();
    const found = isBot(name);
    bots.set(name, found);
    return found;
  }

  function isBurst(blogId: string, ip: string | undefined, now: number): boolean {
    const address = visitorAddress(ip);
    if (address === undefined) return false;
    const current = Math.floor(now / MINUTE);
    if (current !== minute || visits.size >= REMEMBERED) visits.clear();
    minute = current;
    const visitor = `${blogId} ${address}`;
    const visited = (visits.get(visitor) ?? 0) + 1;
    visits.set(visitor, visited);
    return visited > MOST_PER_MINUTE;
  }

  return ({ blog, ip, provenance, userAgent, purpose }: TrafficSigns, now: number): Traffic => {
    if (purpose?.toLowerCase().includes('prefetch')) return 'prefetch';
    if (!userAgent || SERVER.test(userAgent)) return 'unknown';
    if (isKnownBot(userAgent)) return 'bot';
    if (!originAllowed(blog.domains, provenance)) return 'foreign';
    return isBurst(blog.id, ip, now) ? 'burst' : 'valid';
  };
}
