import { expect, test } from 'vitest';
import { createTrafficJudge, originAllowed, visitorAddress } from './traffic.ts';

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

test('a page of another site is foreign, regardless of the client', () => {
  const judge = createTrafficJudge(() => true);
  const provenance = { origin: 'https://evil.example', referer: null };
  for (const userAgent of ['node', 'Deno/2.5.1', 'curl/8.14.1', null]) {
    expect(judge({ ...SIGNS, provenance, userAgent, purpose: 'prefetch' }, 0)).toBe('foreign');
  }
});

test('only the exact user agent of a server is unknown', () => {
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

test('servers have a separate burst limit, which is higher than the limit of readers', () => {
  const judge = createTrafficJudge(() => false);
  const of = (count: number, signs: Parameters<typeof judge>[0]) =>
    Array.from({ length: count }, () => judge(signs, 0));
  const server = { ...SIGNS, userAgent: 'node' };
  expect(new Set(of(600, server))).toEqual(new Set(['unknown']));
  expect(of(1, server)).toEqual(['burst']);
  expect(of(1, { ...server, ip: '192.0.2.2' })).toEqual(['unknown']);
  // A reader may have the IP address of a server, such as a proxy.
  expect(of(61, SIGNS).slice(-2)).toEqual(['valid', 'burst']);
});

const allowed = (domain: string, origin: string | null, referer?: string) =>
  originAllowed([domain], { origin, referer });

test.each([
  ['blog.example', 'https://blog.example', true],
  ['blog.example', 'http://BLOG.example:8080', true],
  ['Blog.Example', 'https://blog.example', true],
  ['blog.example:8080', 'https://blog.example:8080', true],
  ['blog.example:8080', 'https://blog.example', false],
  ['blog.example:443', 'https://blog.example', true],
  ['blog.example:80', 'http://blog.example', true],
  ['*.blog.example', 'https://www.blog.example', true],
  ['*.blog.example', 'https://blog.example', false],
  ['*.blog.example', 'https://evilblog.example', false],
  ['blog.example', 'https://blog.example.evil.example', false],
  ['münchen.example', 'https://xn--mnchen-3ya.example', true],
  ['1.2.3.4.5', 'https://blog.example', false],
  ['news.2026', 'https://news.example', false],
  ['*.news.2026', 'https://news.example', false],
  ['blog.example', 'null', false],
  ['blog.example', 'nonsense', false],
])('the domain %s allows %s: %s', (domain, origin, expected) => {
  expect(allowed(domain, origin)).toBe(expected);
});

test('the referer is used only if there is no origin', () => {
  expect(allowed('blog.example', null, 'https://blog.example/a/page')).toBe(true);
  expect(allowed('blog.example', 'https://other.example', 'https://blog.example/')).toBe(false);
  expect(allowed('blog.example', '', 'https://blog.example/')).toBe(false);
  expect(allowed('blog.example', null)).toBe(false);
});

test('a blog without domains accepts every page', () => {
  expect(originAllowed([], { origin: null, referer: null })).toBe(true);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [' 203.0.113.255 ', '203.0.113.255'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::ffff:1.2.3.4%lo', '1.2.3.4'],
  [undefined, undefined],
  ['', undefined],
  ['1.2.3', undefined],
  ['1.2.3.4.5', undefined],
  ['1.2.3.x4', undefined],
  ['1.2.3.4x', undefined],
  ['1.2.3.0004', undefined],
  ['x::1', undefined],
  ['::1x', undefined],
  ['unknown', undefined],
  ['1.2.3.400', undefined],
  ['1:2:3', undefined],
  ['1::2::3', undefined],
])('%j is the visitor %j', (ip, expected) => {
  expect(visitorAddress(ip)).toBe(expected);
});
