/**
 * The part of an IP address that identifies a visitor: a whole IPv4 address, or the first 64 bits of an IPv6 address,
 * because a household usually has all addresses of its /64. `undefined` for a string that is not an IP address.
 */
export function visitorAddress(ip: string | undefined): string | undefined {
  const address = ip?.trim().toLowerCase().replace(/%.*$/, '');
  if (!address) return undefined;
  if (isIpv4(address)) return address;
  const groups = groupsOf(address);
  if (!groups) return undefined;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
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
