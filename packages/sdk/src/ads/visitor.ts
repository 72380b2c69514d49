/** The visitor for whom a server delivers an ad or registers a click. The API checks these values. */
export interface Visitor {
  /** `Origin` of the visitor's page, for the origin check of clicks (api.md 4.5). */
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  /** Sent as `X-Forwarded-For`, which the server uses if it trusts this hop. */
  readonly ip?: string | undefined;
  /** Decides, with `ip`, whether an impression comes from a reader. Without `ip`, it is not sent. */
  readonly userAgent?: string | undefined;
  /** `Sec-Purpose`: a page that is only prefetched has no reader yet. */
  readonly purpose?: string | undefined;
}

/**
 * A visitor's request in Node, Express or Fastify, or only its headers, such as `{ headers: await headers() }` in a
 * server component of Next.
 */
export interface NodeRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/**
 * The header to trust for a visitor's IP address, because a visitor can send any header. `'cloudflare'` uses
 * `CF-Connecting-IP`. A number is the number of proxies before this server, and uses the entry of `X-Forwarded-For`
 * that the outermost of them wrote. `0` uses the address of the connection, which only a Node request has. The default
 * does the same, unless the request came through a proxy.
 */
export type ProxyTrust = 'cloudflare' | number;

/** The headers that describe a visitor, or the visitor's request, to the API. */
export function visitorHeaders(
  visitor: Visitor | Request | NodeRequest,
  trust: ProxyTrust | undefined,
): Record<string, string> {
  const { origin, referer, ip, userAgent, purpose } = 'headers' in visitor ? fromRequest(visitor, trust) : visitor;
  const named = {
    origin,
    referer,
    'x-forwarded-for': ip,
    // For a reader without an IP address, the API would use the address of this server: 60 readers a minute would be a
    // burst.
    'user-agent': ip && userAgent,
    'sec-purpose': purpose,
  };
  return Object.fromEntries(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
}

const isHeaders = (headers: NodeRequest['headers']): headers is Headers => typeof headers.get === 'function';

function fromRequest(request: Request | NodeRequest, trust: ProxyTrust | undefined): Visitor {
  const { headers } = request;
  const read = (name: string): string | undefined =>
    // A header that was sent twice is joined, as `Headers` does.
    (isHeaders(headers) ? headers.get(name) : headers[name])?.toString();
  const connecting = read('cf-connecting-ip');
  const chain = read('x-forwarded-for');
  const isProxied = trust === undefined && Boolean(connecting || chain);
  const claimed = trust === 'cloudflare' ? connecting : trust ? chain?.split(',').at(-trust) : undefined;
  // The connection of a proxy is not the reader's.
  const connected = 'socket' in request && !isProxied ? request.socket?.remoteAddress : undefined;
  const ip = addressOf(claimed) ?? connected;
  if (!ip) warnOnce();
  return {
    ...pageOf(request, read, typeof trust === 'number' ? trust : 0),
    ip,
    userAgent: read('user-agent'),
    purpose: read('sec-purpose'),
  };
}

/**
 * The page that shows the ad: the one that sent the request, or, for a navigation, the requested page itself. Its
 * `Referer` is then the page before, such as a search engine.
 */
function pageOf(
  request: Request | NodeRequest,
  read: (name: string) => string | undefined,
  proxies: number,
): Pick<Visitor, 'origin' | 'referer'> {
  const origin = read('origin');
  // Without Sec-Fetch-Mode, as in old browsers, a script's request to another site still has an Origin.
  const mode = read('sec-fetch-mode') ?? (origin ? 'cors' : 'navigate');
  const forwarded = proxies > 0 ? read('x-forwarded-host')?.split(',').slice(-proxies)[0]?.trim() : undefined;
  const own = read('host') || (isHeaders(request.headers) ? undefined : read(':authority')); // HTTP/2 in Node
  const host = forwarded || own || ('url' in request && hostOf(request.url));
  // The API does not compare the scheme.
  return mode === 'navigate' && host ? { origin: `https://${host}` } : { origin, referer: read('referer') };
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

/** The IP address of an entry. Some proxies write it as `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function addressOf(entry: string | undefined): string | undefined {
  const [, v6, v4] =
    /^\s*(?:\[?([\da-f.]*:[\da-f.]*:[\da-f:.]*)(?:\]:\d+|\]?)|(\d+(?:\.\d+){3})(?::\d+)?)\s*$/i.exec(entry ?? '') ?? [];
  return v6 ?? v4;
}

let warned = false;

function warnOnce(): void {
  const message = "a visitor's request has no trusted IP address, so impressions count as unknown: set `trust`.";
  if (!warned) console.warn(`Broadsheet: ${message}`);
  warned = true;
}
