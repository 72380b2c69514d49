import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Who sent a request (the socket's address, or the right hop of `X-Forwarded-For`). Each of the `hops` proxies
 * appends the address it was called from, so the caller stands `hops` places from the right; whatever is further left
 * was written by the caller and is not believed. A header shorter than that was not written by the proxies: the
 * address of the socket counts.
 */
export function clientIp(incoming: IncomingMessage, hops: number): string | undefined {
  const { remoteAddress } = incoming.socket;
  const header = hops > 0 ? incoming.headers['x-forwarded-for'] : undefined;
  if (header === undefined) return remoteAddress;
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',');
  const hop = withoutPort((chain.at(-hops) ?? '').trim());
  return isIP(hop) ? hop : remoteAddress;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}
