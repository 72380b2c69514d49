import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { client } from '../../test/support/client.ts';
import { json } from '../../test/support/responses.ts';
import { serve } from '../../test/support/serve.ts';
import { type ProxyTrust, visitorHeaders } from './visitor.ts';

const request = (headers: Record<string, string>): Request => new Request('https://blog.example/post', { headers });
const ipOf = (...[visitor, trust]: Parameters<typeof visitorHeaders>): string | undefined =>
  visitorHeaders(visitor, trust)['x-forwarded-for'];

/** The headers that nginx forwards for a visitor who forges both: it appends to one and does not know the other. */
const forged = request({ 'cf-connecting-ip': '198.51.100.7', 'x-forwarded-for': '198.51.100.8, 203.0.113.9' });

test('no header is trusted by default, and one warning says that there is no IP address', async () => {
  vi.resetModules();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const fresh = await import('./visitor.ts');
  expect(fresh.visitorHeaders(forged, undefined)['x-forwarded-for']).toBeUndefined();
  expect(fresh.visitorHeaders(forged, undefined)['x-forwarded-for']).toBeUndefined();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('no trusted IP address')]]);
  expect(ipOf(forged, 0)).toBeUndefined();
});

test.each<[string, Record<string, string>, ProxyTrust | undefined, number]>([
  ['that came through a proxy', { 'x-forwarded-for': '203.0.113.9' }, undefined, 1],
  ['that came through Cloudflare', { 'cf-connecting-ip': '203.0.113.9' }, undefined, 1],
  ['that came straight here', {}, undefined, 1],
  ['whose proxies are counted', { 'x-forwarded-for': '203.0.113.9' }, 1, 0],
  ['whose proxies are counted as none', { 'x-forwarded-for': '203.0.113.9' }, 0, 1],
  ['with fewer proxies than were counted', { 'x-forwarded-for': '203.0.113.9' }, 2, 1],
])('for a request %s %o with trust %s there are %i warnings', async (_, headers, trust, warnings) => {
  vi.resetModules();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warn.mockClear();
  const fresh = await import('./visitor.ts');
  fresh.visitorHeaders(request(headers), trust);
  expect(warn.mock.calls).toEqual(Array(warnings).fill([expect.stringContaining('count as unknown: set `trust`')]));
});

test('a connection with an IP address needs no warning, and headers alone are enough behind a proxy', async () => {
  vi.resetModules();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warn.mockClear();
  const fresh = await import('./visitor.ts');
  const { headers } = request({ 'x-forwarded-for': '203.0.113.9' });
  expect(fresh.visitorHeaders({ headers }, 1)['x-forwarded-for']).toBe('203.0.113.9');
  fresh.visitorHeaders({ headers: {}, socket: { remoteAddress: '203.0.113.9' } }, undefined);
  fresh.visitorHeaders({ origin: 'https://my.blog' }, undefined);
  expect(warn).not.toHaveBeenCalled();
});

test('without a header of the trusted proxy, the IP address of the connection counts', () => {
  expect(ipOf(request({}), 1)).toBeUndefined();
  expect(ipOf({ headers: {}, socket: undefined }, 1)).toBeUndefined();
  expect(ipOf({ headers: {}, socket: { remoteAddress: '203.0.113.9' } }, 1)).toBe('203.0.113.9');
});

test.each([
  [1, '203.0.113.9'],
  [2, '198.51.100.8'],
  [3, undefined],
  ['cloudflare', '198.51.100.7'],
] as const)('with trust %j the address is %s', (trust, ip) => {
  expect(ipOf(forged, trust)).toBe(ip);
});

test.each([
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  [' 2001:DB8::1 ', '2001:DB8::1'],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ['unknown', undefined],
  ['by 203.0.113.9', undefined],
  ['by 2001:db8::1', undefined],
  ['203.0.113.9; DROP', undefined],
  ['', undefined],
])('the address in the entry %j is %s', (entry, ip) => {
  expect(ipOf(request({ 'x-forwarded-for': entry }), 1)).toBe(ip);
});

const sent = (headers: Record<string, string>, trust: ProxyTrust | undefined = 1): Record<string, string> =>
  visitorHeaders(request({ 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Reader/1', ...headers }), trust);
const reader = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Reader/1' };

test.each<[string, Record<string, string>]>([
  ['from a search engine', { 'sec-fetch-mode': 'navigate', referer: 'https://search.example/' }],
  ['by its URL', { 'sec-fetch-mode': 'navigate' }],
  ['in a browser without Sec-Fetch-Mode', { referer: 'https://search.example/' }],
])('the origin is the page that was opened %s, not the page before it', (_, headers) => {
  expect(sent(headers)).toEqual({ ...reader, origin: 'https://blog.example' });
  const node = { headers: { ...reader, host: 'blog.example:8080', ...headers }, url: '/post' };
  expect(visitorHeaders(node, 1)).toEqual({ ...reader, origin: 'https://blog.example:8080' });
});

test('behind a trusted proxy, the page has the host that the proxy forwards', () => {
  const forwarded = { host: 'internal:3000', 'x-forwarded-host': 'my.blog', 'sec-fetch-mode': 'navigate' };
  expect(sent(forwarded)['origin']).toBe('https://my.blog');
  expect(sent(forwarded, 0)['origin']).toBe('https://internal:3000');
});

test('the host of a page is found over HTTP/2 too, and in a list that several proxies wrote', () => {
  const headers = { ...reader, ':authority': 'my.blog', referer: 'https://search.example/' };
  expect(visitorHeaders({ headers }, 1)).toEqual({ ...reader, origin: 'https://my.blog' });
  const chain = 'forged.example, my.blog, cache.internal';
  expect(sent({ 'x-forwarded-host': chain }, 2)['origin']).toBe('https://my.blog');
  expect(sent({ 'x-forwarded-host': 'my.blog' }, 2)['origin']).toBe('https://my.blog');
});

test('the request of a script names its page by Origin or Referer', () => {
  const referer = 'https://blog.example/post';
  expect(sent({ 'sec-fetch-mode': 'cors', referer })).toEqual({ ...reader, referer });
  expect(sent({ origin: 'https://other.example' })).toEqual({ ...reader, origin: 'https://other.example' });
});

test('the request of a page that is only prefetched is marked as such', () => {
  expect(sent({ 'sec-purpose': 'prefetch;prerender' })['sec-purpose']).toBe('prefetch;prerender');
  expect(visitorHeaders({ purpose: 'prefetch' }, 0)).toEqual({ 'sec-purpose': 'prefetch' });
});

test('without the IP address of the reader, the user agent is not sent: 60 impressions a minute would be a burst', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(visitorHeaders(request({ 'user-agent': 'Reader/1' }), undefined)).not.toHaveProperty('user-agent');
  expect(visitorHeaders({ userAgent: 'Reader/1' }, undefined)).toEqual({});
  expect(visitorHeaders({ userAgent: 'Reader/1', ip: '203.0.113.9' }, undefined)).toEqual(reader);
  // The connection comes from the proxy, unless `trust` says that there is no proxy.
  const proxied = { headers: reader, socket: { remoteAddress: '10.0.0.1' } };
  expect(visitorHeaders(proxied, undefined)).toEqual({});
  expect(visitorHeaders(proxied, 0)).toEqual({ ...reader, 'x-forwarded-for': '10.0.0.1' });
});

test('a request of Node or Express works, too, with the IP address of its connection', async () => {
  const api = await serve((_, response) => json(response, 200, { filled: false }));
  const blog = client(api.url, { trust: 0 });
  const incoming = await new Promise<IncomingMessage>((resolve) => {
    const site = createServer((request, response) => {
      resolve(request);
      response.end();
      site.close();
    }).listen(0, '127.0.0.1', async () => {
      const { port } = site.address() as AddressInfo;
      const headers = { origin: 'https://blog.example', 'x-forwarded-for': '198.51.100.8', 'user-agent': 'Reader/1' };
      await fetch(`http://127.0.0.1:${port}`, { headers });
    });
  });
  await blog.ads.deliver('BANNER', { visitor: incoming });
  await blog.ads.deliver('BANNER', { visitor: incoming, trust: 1 });
  await blog.ads.deliver('BANNER', { visitor: { headers: { referer: 'https://blog.example/a' } } });
  expect(api.seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['127.0.0.1', '198.51.100.8', undefined]);
  expect(api.seen[0]?.headers).toMatchObject({ origin: 'https://blog.example', 'user-agent': 'Reader/1' });
  expect(api.seen[2]?.headers.referer).toBe('https://blog.example/a');
});

test('a forged header counts no further clicks', async () => {
  const clicks: unknown[] = [];
  const api = await serve(({ headers }, response) => {
    clicks.push(headers['x-forwarded-for']);
    json(response, 200, { status: 'ok' });
  });
  const blog = client(api.url, { trust: 1 });
  for (let nth = 0; nth < 10; nth++) {
    const headers = { 'cf-connecting-ip': `198.51.100.${nth}`, 'x-forwarded-for': `198.51.100.${nth}, 203.0.113.9` };
    await blog.ads.click(`token-${nth}`, { visitor: request(headers) });
  }
  expect(new Set(clicks)).toEqual(new Set(['203.0.113.9']));
});
