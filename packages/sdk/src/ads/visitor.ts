/**
 * Whom a server speaks for when it delivers an ad or registers a click: the API judges by these.
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
  /** Sent as `X-Forwarded-For`; the server uses it when it trusts this hop. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

/**
 * The headers that pass a visitor on. Takes the visitor's request itself, too; its IP address is then the one its own
 * proxy wrote into `X-Forwarded-For` or `CF-Connecting-IP`.
 */
export function visitorHeaders(visitor: Visitor | Request | undefined): Record<string, string> {
  if (!visitor) return {};
  const from = 'headers' in visitor ? fromRequest(visitor.headers) : visitor;
  const named = {
    origin: from.origin,
    referer: from.referer,
    'x-forwarded-for': from.ip,
    'user-agent': from.userAgent,
  };
  return Object.fromEntries(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
}

function fromRequest(headers: Headers): Visitor {
  const read = (name: string): string | undefined => headers.get(name) ?? undefined;
  return {
    origin: read('origin'),
    referer: read('referer'),
    ip: read('cf-connecting-ip') ?? read('x-forwarded-for'),
    userAgent: read('user-agent'),
  };
}
