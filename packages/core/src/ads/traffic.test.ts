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
