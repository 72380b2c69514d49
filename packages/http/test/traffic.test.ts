import { request } from 'node:http';
import { expect, test } from 'vitest';
import { TEST_BLOG } from './memory-server-store.ts';
import { serveMemory } from './serve-memory.ts';

const NOW = Date.parse('2026-03-01T12:00:30.000Z');
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const page = { Origin: 'https://news.example' };

/** The headers of a delivery, and the traffic that it is recorded as. */
const KINDS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>, traffic: string])[] = [
  ['Chrome on a page of the blog', { ...page, 'User-Agent': CHROME }, 'valid'],
  ['Firefox on a page of the blog', { ...page, 'User-Agent': FIREFOX }, 'valid'],
  ['a phone that sends only a referrer', { Referer: 'https://news.example/a', 'User-Agent': PHONE }, 'valid'],
  [
    'an SDK with the headers of its visitor',
    { ...page, 'User-Agent': FIREFOX, 'X-Forwarded-For': '192.0.2.7' },
    'valid',
  ],
  ['a page that is shown after it was prefetched', { ...page, 'User-Agent': CHROME, 'Sec-Purpose': '' }, 'valid'],
  [
    'Googlebot',
    { ...page, 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    'bot',
  ],
  ['an assistant that reads pages', { ...page, 'User-Agent': 'Mozilla/5.0 (compatible; GPTBot/1.2)' }, 'bot'],
  ['a headless browser', { ...page, 'User-Agent': CHROME.replace('Chrome', 'HeadlessChrome') }, 'bot'],
  ['curl', { ...page, 'User-Agent': 'curl/8.14.1' }, 'bot'],
  ['a script', { 'User-Agent': 'python-requests/2.32' }, 'bot'],
  ['a bot on a foreign page', { Origin: 'https://other.example', 'User-Agent': 'curl/8.14.1' }, 'foreign'],
  ['a server for a foreign page', { Origin: 'https://other.example', 'User-Agent': 'node' }, 'foreign'],
  ['a client without a name on a foreign page', { Referer: 'https://other.example/a' }, 'foreign'],
  ['a bot with the name of a server', { ...page, 'User-Agent': 'Deno/2.0 SpiderBot' }, 'bot'],
  [
    'a client that is named after a server',
    { 'User-Agent': 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)' },
    'bot',
  ],
  ['a prefetched page', { ...page, 'User-Agent': CHROME, 'Sec-Purpose': 'prefetch' }, 'prefetch'],
  ['a prerendered page', { ...page, 'User-Agent': CHROME, 'Sec-Purpose': 'prefetch;prerender' }, 'prefetch'],
  ['a prefetch of a bot', { ...page, 'User-Agent': 'curl/8.14.1', 'Sec-Purpose': 'prefetch' }, 'prefetch'],
  ['a page of another site', { Origin: 'https://other.example', 'User-Agent': CHROME }, 'foreign'],
  ['a local file', { Origin: 'null', 'User-Agent': CHROME }, 'foreign'],
  ['a browser that names no page', { 'User-Agent': CHROME }, 'foreign'],
  ['a foreign referrer', { Referer: 'https://other.example/a', 'User-Agent': FIREFOX }, 'foreign'],
  ['Node without the headers of its visitor', { 'User-Agent': 'node' }, 'unknown'],
  ['a client without a name', {}, 'unknown'],
  ['Deno without the headers of its visitor', { ...page, 'User-Agent': 'Deno/2.5.1' }, 'unknown'],
];

/** Delivers an ad to a client that sends these headers and no others. */
const deliver = (url: string, headers: Readonly<Record<string, string>>) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(`${url}/public/ads/formats/BANNER`, { headers: { 'X-API-Key': 'test-key', ...headers } });
    sent
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });

async function start() {
  let now = NOW;
  const { server, memory } = await serveMemory({ clock: { now: () => now }, trustProxy: 1 });
  memory.putBlog({ ...TEST_BLOG, domains: ['news.example'] }, NOW);
  /** The number of impressions by traffic. */
  const recorded = () =>
    Object.fromEntries(
      memory.figures('news', { by: ['traffic'] }).map(({ traffic, delivered }) => [traffic, delivered]),
    );
  return { url: server.url, recorded, pass: (ms: number) => (now += ms) };
}

test.each(KINDS)('%s is recorded with its kind of traffic', async (_, headers, traffic) => {
  const { url, recorded } = await start();
  await deliver(url, { 'X-Forwarded-For': '192.0.2.1', ...headers });
  expect(recorded()).toEqual({ [traffic]: 1 });
});

test('deliveries beyond 60 to a visitor within a minute are recorded as a burst', async () => {
  const { url, recorded, pass } = await start();
  const visit = async (times: number, address: string) => {
    const headers = { ...page, 'User-Agent': CHROME, 'X-Forwarded-For': address };
    for (let index = 0; index < times; index += 1) await deliver(url, headers);
  };
  await visit(60, '192.0.2.1');
  await visit(60, '192.0.2.2');
  expect(recorded()).toEqual({ valid: 120 });
  await visit(3, '192.0.2.1');
  expect(recorded()).toEqual({ burst: 3, valid: 120 });
  pass(60_000);
  await visit(1, '192.0.2.1');
  expect(recorded()).toEqual({ burst: 3, valid: 121 });
});
