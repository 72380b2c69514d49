import { expect, test } from 'vitest';
import { createTrafficJudge } from './traffic.ts';

const BLOG = { id: 'news', domains: ['news.example'] };
const SIGNS = {
  blog: BLOG,
  ip: '192.0.2.1',
  provenance: { origin: 'https://news.example', referer: null },
  userAgent: 'Mozilla/5.0 Firefox/143.0',
  purpose: null,
};

test('only the beginning of a long user agent is read, and no part of it is remembered', () => {
  const read: string[] = [];
  const judge = createTrafficJudge((userAgent) => read.push(userAgent) > 0);
  for (let turn = 0; turn < 2; turn += 1) {
    expect(judge({ ...SIGNS, userAgent: `bot ${'x'.repeat(16_000)}` }, 0)).toBe('bot');
    expect(judge({ ...SIGNS, userAgent: 'bot' }, 0)).toBe('bot');
  }
  expect(read).toEqual([`bot ${'x'.repeat(508)}`, 'bot', `bot ${'x'.repeat(508)}`]);
});

test('a burst is counted per visitor and blog, within a minute', () => {
  const judge = createTrafficJudge(() => false);
  const of = (count: number, signs: typeof SIGNS, now = 0) => Array.from({ length: count }, () => judge(signs, now));
  expect(new Set(of(60, SIGNS))).toEqual(new Set(['valid']));
  expect(of(1, SIGNS, 59_999)).toEqual(['burst']);
  expect(of(1, { ...SIGNS, ip: '192.0.2.2' })).toEqual(['valid']);
  expect(of(1, { ...SIGNS, blog: { ...BLOG, id: 'other' } })).toEqual(['valid']);
  expect(of(1, SIGNS, 60_000)).toEqual(['valid']);
});

test('a page of another site is foreign, whatever sends the request', () => {
  const judge = createTrafficJudge(() => true);
  const provenance = { origin: 'https://evil.example', referer: null };
  for (const userAgent of ['node', 'Deno/2.5.1', 'curl/8.14.1', null]) {
    expect(judge({ ...SIGNS, provenance, userAgent, purpose: 'prefetch' }, 0)).toBe('foreign');
  }
});

test('only the whole name of a server is unknown', () => {
  const judge = createTrafficJudge(() => true);
  const provenance = { origin: null, referer: null };
  const of = (userAgent: string) => judge({ ...SIGNS, provenance, userAgent }, 0);
  for (const name of ['node', 'undici', 'Deno/2.5.1', 'Deno/2.0.0-rc.1', 'Bun/1.3.0', 'Cloudflare-Workers', '']) {
    expect([name, of(name)]).toEqual([name, 'unknown']);
  }
  for (const name of ['node-fetch/1.0', 'nodecrawler/1.2 (+https://bot.example)', 'Deno/2.0 SpiderBot', 'Bunny/1.0']) {
    expect([name, of(name)]).toEqual([name, 'bot']);
  }
});

test('servers have a burst of their own, which is larger than that of readers', () => {
  const judge = createTrafficJudge(() => false);
  const of = (count: number, signs: Parameters<typeof judge>[0]) =>
    Array.from({ length: count }, () => judge(signs, 0));
  const server = { ...SIGNS, userAgent: 'node' };
  expect(new Set(of(600, server))).toEqual(new Set(['unknown']));
  expect(of(1, server)).toEqual(['burst']);
  expect(of(1, { ...server, ip: '192.0.2.2' })).toEqual(['unknown']);
  // A reader may have the address of a server, such as a proxy.
  expect(of(61, SIGNS).slice(-2)).toEqual(['valid', 'burst']);
});
