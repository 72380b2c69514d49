import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientIp } from './client-ip.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('clientIp', () => {
  it.each([
    ['no proxy trusted', '10.0.0.1', '198.51.100.7', 0, '10.0.0.1'],
    ['one proxy', '10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
    ['a forged entry on the left', '10.0.0.1', '1.1.1.1, 198.51.100.7', 1, '198.51.100.7'],
    ['two proxies', '10.0.0.1', '1.1.1.1, 198.51.100.7, 10.0.0.2', 2, '198.51.100.7'],
    ['fewer entries than proxies', '10.0.0.1', '198.51.100.7', 2, '10.0.0.1'],
    ['no header', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['an entry that is not an address', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['an address with a port', '10.0.0.1', '198.51.100.7:4711', 1, '198.51.100.7'],
    ['IPv6 with a port', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['IPv6', '::1', '2001:db8::1', 1, '2001:db8::1'],
  ])('the client IP with %s', (_, socket, header, hops, expected) => {
    expect(clientIp(request(socket, header), hops)).toBe(expected);
  });
});
