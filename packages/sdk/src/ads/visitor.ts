/**
 * The visitor for whom a server delivers an ad or registers a click. The API checks these values.
 *
 * @example
 * ```ts
 * const visitor: Visitor = { origin: 'https://my.blog', ip: '203.0.113.9' };
 * await blog.ads.click(token, { visitor });
 * ```
 */
export interface Visitor {
  /** `Origin` of the visitor's page, for the origin check of clicks (api.md 4.5). */
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  /** Sent as `X-Forwarded-For`, which the server uses if it trusts this hop. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

/**
 * A visitor's request in Node, Express or Fastify.
 *
 * @example
 * ```ts
 * const click = (request: NodeRequest, token: string) => blog.ads.click(token, { visitor: request, trust: 1 });
 * ```
 */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/**
 * Which header to trust for a visitor's IP address, since a visitor can send any header. `'cloudflare'` uses
 * `CF-Connecting-IP`. A number is the number of proxies before this server, and uses the entry of `X-Forwarded-For` that
 * the outermost of them wrote. `0`, the default, uses the address of the connection, which only a Node request has.
 *
 * @example
 * ```ts
 * const trust: ProxyTrust = 1; // nginx runs in front of this server
 * await blog.ads.click(token, { visitor: request, trust });
 * ```
 */
export type ProxyTrust = 'cloudflare' | number;

/** The headers that describe a visitor, or the visitor's request, to the API. */
export function visitorHeaders(
  visitor: Visitor | Request | NodeRequest,
  trust: ProxyTrust | undefined,
): Record<string, string> {
  const { origin, referer, ip, userAgent } = 'headers' in visitor ? fromRequest(visitor, trust) : visitor;
  const named = { origin, referer, 'x-forwarded-for': ip, 'user-agent': userAgent };
  return Object.fromEntries(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
}

function fromRequest(request: Request | NodeRequest, trust: ProxyTrust | undefined): Visitor {
  const { headers } = request;
  const read = (name: string): string | undefined =>
    // A header that was sent twice is joined, as `Headers` does it.
    (typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : (headers as NodeRequest['headers'])[name]
    )?.toString();
  const connecting = read('cf-connecting-ip');
  const chain = read('x-forwarded-for');
  if (trust === undefined && (connecting || chain)) warnOnce();
  const claimed = trust === 'cloudflare' ? connecting : trust ? chain?.split(',').at(-trust) : undefined;
  return {
    origin: read('origin'),
    referer: read('referer'),
    ip: addressOf(claimed) ?? ('socket' in request ? request.socket?.remoteAddress : undefined),
    userAgent: read('user-agent'),
  };
}

/** The IP address of an entry. Some proxies write it as `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function addressOf(entry: string | undefined): string | undefined {
  const [, v6, v4] =
    /^\s*(?:\[?([\da-f:.]*:[\da-f:.]*:[\da-f:.]*)(?:\]:\d+|\]?)|(\d+(?:\.\d+){3})(?::\d+)?)\s*$/i.exec(entry ?? '') ??
    [];
  return v6 ?? v4;
}

let warned = false;

function warnOnce(): void {
  if (warned) return;
  warned = true;
  console.warn(
    "Broadsheet: the visitor's request came through a proxy, but `trust` is not set: X-Forwarded-For is ignored and all " +
      "visitors share one IP. Set trust to 'cloudflare', to the number of proxies, or to 0 to keep it so.",
  );
}
