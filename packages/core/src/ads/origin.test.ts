import { expect, test } from 'vitest';
import { originAllowed } from './origin.ts';

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
