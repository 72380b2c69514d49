import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../tools/testing/site.ts';
import { serveMemory } from '../../http/test/serve-memory.ts';
import { createClient } from '../../sdk/src/index.ts';
import { sendFrom } from './nginx.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const READERS = 100;
/**
 * The addresses of a proxy, and of a site that renders on its own server. All addresses in 127.0.0.0/8 belong to this
 * machine.
 */
const PROXY = '127.0.0.1';
const SITE = '127.0.0.5';

/** A `fetch` that connects from an address. */
const fetchFrom =
  (from: string): typeof fetch =>
  async (input, init) => {
    const { url, method, headers, body } = new Request(input, init);
    const sent = { method, headers: Object.fromEntries(headers), ...(body && { body: await text(body) }) };
    const response = await sendFrom(from, url, sent);
    return new Response(response.body, {
      status: response.status,
      headers: response.headers as Record<string, string>,
    });
  };

/** A server behind a proxy that appends the address of its caller to X-Forwarded-For, as nginx does. */
async function start(trustProxy: number | readonly string[]) {
  const { server, memory } = await serveMemory({ trustProxy });
  const proxy = await openSite((incoming, outgoing) => {
    const { remoteAddress } = incoming.socket;
    const chain = [incoming.headers['x-forwarded-for'], remoteAddress].filter(Boolean).join(', ');
    const headers = { ...incoming.headers, 'x-forwarded-for': chain };
    const { method, url } = incoming;
    const forwarded = request(server.url + url, { method, headers, localAddress: PROXY }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  onTestFinished(() => proxy.close());
  const counted = () => {
    const [total] = memory.figures('news', { by: [] });
    const byTraffic = memory.figures('news', { by: ['traffic'] });
    const apart = byTraffic.flatMap(({ traffic, delivered }) => (traffic === 'valid' ? [] : [[traffic, delivered]]));
    return { impressions: total?.delivered, clicks: total?.clicks, traffic: apart };
  };
  return { url: proxy.url, counted };
}

const addressOf = (reader: number): string => `127.0.${1 + Math.floor(reader / 200)}.${1 + (reader % 200)}`;

/** A reader whose browser requests an ad and clicks on it; `forged` is a header that it adds. */
async function visit(url: string, from: string, forged?: string): Promise<void> {
  const headers = { 'x-api-key': 'test-key', 'user-agent': FIREFOX, ...(forged && { 'x-forwarded-for': forged }) };
  const ad = JSON.parse((await sendFrom(from, `${url}/public/ads/formats/BANNER`, { headers })).body);
  const click = { method: 'POST', body: JSON.stringify({ clickToken: ad.clickToken }) };
  const json = { ...headers, 'content-type': 'application/json' };
  expect((await sendFrom(from, `${url}/public/ads/tracking/click`, { headers: json, ...click })).status).toBe(200);
}

// macOS has only one of these addresses.
describe.skipIf(process.platform === 'darwin')('readers behind a proxy', () => {
  it(`${READERS} readers of a site that renders on its own server are ${READERS} visitors`, async () => {
    const { url, counted } = await start([PROXY, SITE]);
    const blog = createClient({ baseUrl: url, apiKey: 'test-key', fetch: fetchFrom(SITE) });
    for (let reader = 0; reader < READERS; reader += 1) {
      const visitor = { ip: `198.51.100.${reader}`, userAgent: FIREFOX, origin: 'https://news.example' };
      const ad = await blog.ads.deliver('BANNER', { visitor });
      await blog.ads.click(ad.filled ? ad.clickToken : '', { visitor });
    }
    expect(counted()).toEqual({ impressions: READERS, clicks: READERS, traffic: [] });
  });

  it(`${READERS} readers whose browsers request the ads are ${READERS} visitors, too`, async () => {
    const { url, counted } = await start([PROXY, SITE]);
    for (let reader = 0; reader < READERS; reader += 1) await visit(url, addressOf(reader));
    expect(counted()).toEqual({ impressions: READERS, clicks: READERS, traffic: [] });
  });

  it('nobody can forge an IP address', async () => {
    const { url, counted } = await start([PROXY, SITE]);
    for (let turn = 0; turn < 61; turn += 1) {
      const forged = [`198.51.100.${turn}`, SITE, PROXY].slice(0, 1 + (turn % 3)).join(', ');
      await visit(url, addressOf(0), forged);
    }
    expect(counted()).toEqual({ impressions: 61, clicks: 1, traffic: [['burst', 1]] });
  });
});
