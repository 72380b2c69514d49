// Clients of every kind that a server must withstand. Prints how many requests of each kind were sent.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SoakPlan } from './soak-plan.ts';

const { url, key, clients, ms }: SoakPlan = JSON.parse(process.argv[2] ?? '');
const { hostname, port } = new URL(url);
/** Milliseconds for which a client keeps a connection open without sending or reading, and between two requests. */
const HELD = 5000;
const PAUSE = 100;

const LONG = 'x'.repeat(15_000);
const until = performance.now() + ms;
/** Starts at another number in each round. Repeated URLs would be served from the cache. */
let numbers = 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000);

const head = (method: string, path: string, headers: Readonly<Record<string, string | number>> = {}): string => {
  const all = { host: 'x', 'x-api-key': key, 'user-agent': 'Mozilla/5.0 Firefox/143.0', ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
};
const post = (path: string, body: string, length = body.length): string =>
  head('POST', path, { 'content-type': 'application/json', 'content-length': length, connection: 'close' }) + body;
const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  head('GET', path, { connection: 'close', ...headers });

/** What each kind sends, and whether it then reads the response or holds the connection without reading. */
const KINDS: Readonly<Record<string, { readonly bytes: () => string; readonly holds?: boolean }>> = {
  'half of the headers': { bytes: () => 'GET /public/posts HTTP/1.1\r\nhost: x\r\n', holds: true },
  'a click without its body': { bytes: () => post('/public/ads/tracking/click', '{', 100), holds: true },
  'a batch without its body': { bytes: () => post('/public/ads/formats', '{', 60_000), holds: true },
  'responses that are not read': {
    bytes: () => {
      const paths = Array.from({ length: 20 }, () => `/public/posts?limit=100&x=${++numbers}`);
      return paths.map((path) => head('GET', path)).join('');
    },
    holds: true,
  },
  'a number that is hard to read': { bytes: () => get(`/public/posts?limit=-${'1'.repeat(15_000)}x`) },
  'the same without a key': { bytes: () => get(`/public/posts?limit=-${'1'.repeat(15_000)}x`, { 'x-api-key': '' }) },
  'another key each time': { bytes: () => get('/public/posts', { 'x-api-key': `guess-${++numbers}` }) },
  'a search far beyond the end': { bytes: () => get('/public/search?q=word&offset=1000000') },
  'a search for what every post has': { bytes: () => get(`/public/search?q=the&offset=${++numbers % 900}`) },
  'another long URL each time': { bytes: () => get(`/public/posts?x=${++numbers}${LONG}`) },
  'another long user agent each time': {
    bytes: () => get('/public/ads/formats/BANNER', { 'user-agent': `${++numbers}${LONG}` }),
  },
  'a long X-Forwarded-For': { bytes: () => get('/public/tags', { 'x-forwarded-for': '10.0.0.1,'.repeat(1500) }) },
  'deeply nested JSON': { bytes: () => post('/public/ads/formats', '['.repeat(60_000)) },
  'a body that is too large': { bytes: () => post('/public/ads/formats', 'x'.repeat(100_000)) },
  'a beacon of garbage': { bytes: () => post('/measure/viewable', `a.${LONG}.c\n`.repeat(4)) },
  'a flood of ads': { bytes: () => get('/public/ads/formats/BANNER') },
  'pages of the documentation': { bytes: () => get('/docs/', { accept: 'text/html', 'cache-control': 'no-cache' }) },
  'a guess of a report': { bytes: () => get(`/report/${String(++numbers).padStart(43, 'A')}`) },
  'a guess of an image': { bytes: () => get(`/media/${String(++numbers).padStart(64, '0')}.png`) },
  'a path with dots': { bytes: () => get('/public/x/../posts') },
  'bytes that are not HTTP': { bytes: () => '\0\x01\x02 hello\r\n\r\n' },
};

/** Sends once; resolves when the connection is closed or has been held long enough. */
function send(bytes: string, holds: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const late = setTimeout(() => socket.destroy(), HELD);
    socket
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(late);
        resolve();
      });
    if (!holds) socket.resume();
    socket.write(bytes, 'latin1');
  });
}

const sent: Record<string, number> = {};
const kinds = Object.entries(KINDS);
await Promise.all(
  Array.from({ length: clients }, async (_, client) => {
    for (let turn = client; performance.now() < until; turn += 1) {
      const [name, kind] = kinds[turn % kinds.length] as (typeof kinds)[number];
      await send(kind.bytes(), kind.holds === true);
      sent[name] = (sent[name] ?? 0) + 1;
      await wait(PAUSE);
    }
  }),
);
console.log(JSON.stringify(sent));
