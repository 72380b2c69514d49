import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The IP address of the client: the address of the socket, or an entry of `X-Forwarded-For`. Each of the `hops` proxies
 * appends the address that it was called from, so the client is `hops` places from the right. Entries further left were
 * written by the client and are not trusted. A shorter header was not written by the proxies, so the address of the
 * socket is used.
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
