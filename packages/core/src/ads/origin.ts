/** The page that sent a request, as far as its headers name it. */
export interface Provenance {
  readonly origin: string | null | undefined;
  readonly referer: string | null | undefined;
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
