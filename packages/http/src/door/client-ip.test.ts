import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientIp, isAddressRange, type TrustedProxies } from './client-ip.ts';

function clientIp(trusted: TrustedProxies, remoteAddress: string | undefined, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientIp(trusted)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

describe('the client of a request', () => {
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
  ])('is found by the number of proxies: %s', (_, socket, header, hops, expected) => {
    expect(clientIp(hops, socket, header)).toBe(expected);
  });

  it.each([
    ['a reader of the proxy', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a reader of the site', '127.0.0.1', '198.51.100.7, 203.0.113.5', '198.51.100.7'],
    ['a reader of the site, directly', '203.0.113.5', '198.51.100.7', '198.51.100.7'],
    ['a reader who forges an entry', '127.0.0.1', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
    ['a reader who names a proxy', '127.0.0.1', '192.0.2.1, 203.0.113.5, 198.51.100.7', '198.51.100.7'],
    [
      'a reader who names a proxy on the way through the site',
      '127.0.0.1',
      '10.1.1.1, 198.51.100.7, 203.0.113.5',
      '198.51.100.7',
    ],
    ['a reader without a proxy', '198.51.100.7', '192.0.2.1', '198.51.100.7'],
    ['a proxy within a range', '10.9.9.9', '198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['an IPv6 proxy', '2001:db8:0:1::9', '2001:db8:f::1', '2001:db8:f::1'],
    ['a proxy on a socket for both families', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a proxy that names its interface', 'fe80::1%lo', '198.51.100.7', '198.51.100.7'],
    ['a proxy itself', '127.0.0.1', undefined, '127.0.0.1'],
    ['only proxies', '127.0.0.1', '10.1.1.1, 203.0.113.5', '10.1.1.1'],
    ['an entry that is not an address', '127.0.0.1', '192.0.2.1, unknown', '127.0.0.1'],
    ['an entry that is not an address behind a proxy', '127.0.0.1', '198.51.100.7, , 203.0.113.5', '203.0.113.5'],
    ['an entry with a port', '127.0.0.1', '[2001:db8:f::1]:80, 203.0.113.5:4711', '2001:db8:f::1'],
  ])('is the first from the right that is not trusted: %s', (_, socket, header, expected) => {
    const trusted = ['127.0.0.1', '10.0.0.0/8', '203.0.113.5', '2001:db8::/48', 'fe80::1'];
    expect(clientIp(trusted, socket, header)).toBe(expected);
  });

  it('a connection that is gone has no IP address', () => {
    for (const trusted of [0, 1, ['127.0.0.1']]) expect(clientIp(trusted, undefined, '198.51.100.7')).toBeUndefined();
  });
});

it.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['10.0.0.1/32', true],
  ['::1', true],
  ['2001:db8::/128', true],
  ['', false],
  ['10.0.0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['::/129', false],
  ['10.0.0.0/08', false],
  ['localhost', false],
  ['10.0.0.1:80', false],
])('%j is an address or a range: %s', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
  if (!expected) expect(() => createClientIp([text])).toThrow(RangeError);
});
