import type { EndpointId } from '@broadsheet/contract';
import type { OperationInput, Provenance } from '../calls/operations.ts';
import type { Blog, Delivery, Traffic } from '../store.ts';

/** The kinds of traffic that do not come from readers: they do not affect goals, daily caps, paces or click rates. */
export const EXCLUDED: readonly Traffic[] = ['bot', 'prefetch', 'foreign', 'burst'];

/** Whether an event does not come from a reader. */
export const isExcluded = ({ traffic = 'valid' }: Pick<Delivery, 'traffic'>): boolean => EXCLUDED.includes(traffic);

/** The maximum number of ad requests per minute and blog that count, from a visitor and from a server. */
const MOST_PER_MINUTE = { visitor: 60, server: 600 };
const MINUTE = 60_000;
/** The number of visitors, and of user agents, that are cached. */
const REMEMBERED = 10_000;
/** Characters of a user agent that are read; a header may have 16 KiB. */
const USER_AGENT_LENGTH = 512;

/** User agents of HTTP clients that run on servers: the headers of the visitor were not forwarded. */
const SERVER = /^(node|undici|Cloudflare-Workers|(Deno|Bun)\/\d[\w.+-]*)$/;

/** The signals by which the traffic of a delivery is classified. */
type TrafficSigns = Pick<OperationInput<EndpointId>, 'ip' | 'provenance' | 'userAgent' | 'purpose'> & {
  readonly blog: Pick<Blog, 'id' | 'domains'>;
};

/**
 * Classifies deliveries by their origin. The deliveries of a visitor within a minute are counted per process, in
 * memory.
 *
 * @param isBot whether a user agent belongs to a crawler or a tool
 */
export function createTrafficJudge(isBot: (userAgent: string) => boolean) {
  let minute = 0;
  const visits = new Map<string, number>();
  const bots = new Map<string, boolean>();

  /** Matching a user agent is the slowest step, so its result is cached. */
  function isKnownBot(userAgent: string): boolean {
    const name = userAgent.slice(0, USER_AGENT_LENGTH);
    // Not cached, because the slice would retain the whole header. The user agents of browsers are shorter.
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

  return (signs: TrafficSigns, now: number): Traffic => {
    const { blog, provenance, userAgent, purpose } = signs;
    const isForeign = !originAllowed(blog.domains, provenance);
    // A request without a page can only come from a server, so it is `unknown`.
    if (isForeign && (provenance.origin ?? provenance.referer)) return 'foreign';
    if (purpose?.toLowerCase().includes('prefetch')) return 'prefetch';
    if (!userAgent || SERVER.test(userAgent)) return isBurst(signs, now, 'server') ? 'burst' : 'unknown';
    if (isKnownBot(userAgent)) return 'bot';
    if (isForeign) return 'foreign';
    return isBurst(signs, now, 'visitor') ? 'burst' : 'valid';
  };
}

/**
 * Whether a page may report clicks to a blog with these domains (api.md 4.5, rule 2). `Origin` is used if it is
 * present, otherwise the origin of `Referer`; the value `null` and a request without either header are not allowed. A
 * domain is a host with a port, a host without one, which allows every port, or `*.host` for its subdomains; the scheme
 * does not matter.
 */
export function originAllowed(domains: readonly string[], { origin, referer }: Provenance): boolean {
  if (domains.length === 0) return true;
  const page = parse(origin ?? referer ?? '');
  return page !== undefined && domains.some((domain) => matches(domain, page));
}

interface PageOrigin {
  readonly hostname: string;
  readonly port: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function parse(text: string): PageOrigin | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  return hostname === '' ? undefined : { hostname, port: port || (DEFAULT_PORTS[protocol] ?? '') };
}

function matches(domain: string, page: PageOrigin): boolean {
  const wildcard = domain.startsWith('*.');
  // A scheme without a default port keeps every port; the parser also lower-cases and encodes international names.
  const host = wildcard ? domain.slice(2) : domain;
  // A domain that an earlier version stored may not be a host; it matches nothing.
  if (!URL.canParse(`none://${host}`) || !URL.canParse(`http://${host}`)) return false;
  const { port } = new URL(`none://${host}`);
  const { hostname } = new URL(`http://${host}`);
  if (port !== '' && port !== page.port) return false;
  return wildcard ? page.hostname.endsWith(`.${hostname}`) : page.hostname === hostname;
}

/**
 * The part of an IP address that identifies a visitor: a whole IPv4 address, or the first 64 bits of an IPv6 address,
 * because a household usually has all addresses of its /64. `undefined` for a string that is not an IP address.
 */
export function visitorAddress(ip: string | undefined): string | undefined {
  const address = ip?.trim().toLowerCase().split('%', 1)[0];
  if (!address) return undefined;
  const ipv4 = ipv4Of(address);
  if (ipv4 !== undefined) return ipv4;
  const groups = groupsOf(address);
  if (!groups) return undefined;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The IP address that the last of `hops` proxies appended to `X-Forwarded-For`, without the port that some proxies
 * write. Entries further left were written by the client. `undefined` if the header is shorter or the entry is not an
 * address.
 */
export function forwardedAddress(header: string, hops: number): string | undefined {
  const entry = header.split(',').at(-hops)?.trim() ?? '';
  const [, address = entry] = /^\[([^\]]+)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry) ?? [];
  return visitorAddress(address) && address;
}

/** The IP address as a new string, because a substring would retain the whole header in memory. */
function ipv4Of(text: string): string | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  for (const part of parts) if (!/^\d{1,3}$/.test(part) || Number(part) > 255) return undefined;
  return parts.map(Number).join('.');
}

/** The eight groups of an IPv6 address. The URL parser normalizes every notation. */
function groupsOf(text: string): string[] | undefined {
  const url = `http://[${text}]`;
  if (!/^[\da-f:.]+$/.test(text) || !URL.canParse(url)) return undefined;
  const [head = [], tail = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
