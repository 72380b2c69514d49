import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { json } from '../../test/support/answers.ts';
import { client } from '../../test/support/client.ts';
import { serve } from '../../test/support/serve.ts';
import { visitorHeaders } from './visitor.ts';

const request = (headers: Record<string, string>): Request => new Request('https://blog.example/post', { headers });
const ipOf = (...[visitor, trust]: Parameters<typeof visitorHeaders>): string | undefined =>
  visitorHeaders(visitor, trust)['x-forwarded-for'];

/** What nginx hands on of a visitor who forges both headers: it appends to the one, and knows nothing of the other. */
const forged = request({ 'cf-connecting-ip': '198.51.100.7', 'x-forwarded-for': '198.51.100.8, 203.0.113.9' });

test('no header is believed unless that is chosen, and a warning says so once', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(ipOf(forged, undefined)).toBeUndefined();
  expect(ipOf(forged, undefined)).toBeUndefined();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('Set trust')]]);
  expect(ipOf(forged, 0)).toBeUndefined();
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
  ['203.0.113.9; DROP', undefined],
  ['', undefined],
])('of the entry %j the address is %s', (entry, ip) => {
  expect(ipOf(request({ 'x-forwarded-for': entry }), 1)).toBe(ip);
});

test('a request of Node or Express works too, with the address of its connection', async () => {
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
