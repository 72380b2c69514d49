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
 * The address that the last of `hops` proxies appended to `X-Forwarded-For`, without the port that some proxies write.
 * Entries further left were written by the client. `undefined` if the header is shorter or the entry is not an address.
 */
export function forwardedAddress(header: string, hops: number): string | undefined {
  const entry = header.split(',').at(-hops)?.trim() ?? '';
  const [, address = entry] = /^\[([^\]]+)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry) ?? [];
  return visitorAddress(address) && address;
}

/** The address as a new string: a part of a header would retain the whole header as long as it is remembered. */
function ipv4Of(text: string): string | undefined {
  const parts = text.split('.');
  const isIpv4 = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isIpv4 ? parts.map(Number).join('.') : undefined;
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
