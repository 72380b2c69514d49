import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { forwardedAddress } from '@broadsheet/core';

/**
 * The proxies whose `X-Forwarded-For` is believed: how many of them append to it, or their addresses, such as `10.0.0.5`
 * and `10.0.0.0/8`.
 */
export type TrustedProxies = number | readonly string[];

/** Finds the IP address of the client of a request. */
export type ClientIp = (incoming: IncomingMessage) => string | undefined;

/**
 * Each proxy appends the IP address from which it was called to `X-Forwarded-For`, so trusted proxies wrote the entries
 * on the right, and the client wrote the others. With addresses, the client is the first from the right that is not
 * trusted, whichever way a request took; with a number, it is that many places from the right. A header that the
 * proxies did not write leaves the address of the socket.
 *
 * @throws RangeError for a text that is not an address or a range
 */
export function createClientIp(trusted: TrustedProxies): ClientIp {
  if (trusted === 0) return ({ socket }) => socket.remoteAddress;
  const find: Find =
    typeof trusted === 'number' ? (socket, header) => forwardedAddress(header, trusted) ?? socket : byAddress(trusted);
  return ({ headers, socket: { remoteAddress } }) => {
    const header = headers['x-forwarded-for'];
    if (header === undefined || remoteAddress === undefined) return remoteAddress;
    return find(remoteAddress, String(header));
  };
}

/** Finds the client by the address of the socket and the entries of the header. */
type Find = (remoteAddress: string, header: string) => string;

function byAddress(ranges: readonly string[]): Find {
  const trusted = new BlockList();
  for (const range of ranges) {
    if (!isAddressRange(range))
      throw new RangeError(`${JSON.stringify(range)} is not an IP address or a range of them`);
    const [address = '', prefix = isIP(address) === 4 ? '32' : '128'] = range.split('/');
    trusted.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (remoteAddress, header) => {
    let client = remoteAddress;
    for (const entry of header.split(',').reverse()) {
      const address = isIn(trusted, client) ? forwardedAddress(entry, 1) : undefined;
      if (address === undefined) break;
      client = address;
    }
    return client;
  };
}

/** Whether a text is an IP address, or a range such as `10.0.0.0/8`. A range of all addresses would trust every client. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= most;
}

/** An address of a link may name its interface, as in `fe80::1%eth0`. */
function isIn(list: BlockList, client: string): boolean {
  const [address = ''] = client.split('%', 1);
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
