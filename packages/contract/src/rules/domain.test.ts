import { expect, test } from 'vitest';
import { isDomain } from './domain.ts';

test.each([
  'example.com',
  'localhost',
  'a',
  '_dmarc.example.com',
  'xn--bcher-kva.example',
  'bücher.example',
  '*.example.com',
  'example.com:1',
  'example.com:65535',
  '127.0.0.1:8080',
  '[::1]',
  '[::ffff:127.0.0.1]:443',
])('%j is a domain', (text) => {
  expect(isDomain(text)).toBe(true);
});

test.each([
  '',
  '*',
  '*.',
  'a.*.example.com',
  '.example.com',
  'example.com.',
  'a..b',
  '-a.example',
  'a-.example',
  'a b',
  'https://example.com',
  'example.com/path',
  'x example.com',
  'user@example.com',
  'example.com:',
  'example.com:0',
  'example.com:65536',
  'example.com:123456',
  '[::1',
  'x[::1]',
  '[::1]x',
  '[::1]:0',
  '[]',
  '[g]',
  '1.2.3.4.5',
  'news.2026',
  '256.1.1.1',
  'example.0x1',
  '*.1.2.3.4',
  '*.news.2026',
])('%j is not a domain', (text) => {
  expect(isDomain(text)).toBe(false);
});
