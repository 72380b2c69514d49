import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivered } from './creative.ts';
import { view } from './viewable.ts';

const beacons: [url: string, tokens: string[]][] = [];
let takes = true;

beforeEach(() => {
  vi.useFakeTimers();
  takes = true;
  const sendBeacon = (url: string, body: string) => takes && !!beacons.push([url, body.split('\n')]);
  vi.stubGlobal('navigator', { sendBeacon });
});
afterEach(() => {
  vi.advanceTimersByTime(60_000);
  beacons.length = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const transport = (path?: string) => ({
  headers: new Headers(path === undefined ? {} : { 'Broadsheet-Viewable': path }),
  deliver: async () => [],
  click: async () => undefined,
});
const ad = (clickToken: string): Delivered => ({
  ad: { slotId: 'top', format: 'BANNER', filled: true, id: '1', clickToken },
  at: Date.now(),
});
const seen = (token: string, path = '/measure/viewable', baseUrl = 'https://blog.example/api/') =>
  view(baseUrl, transport(path), { ads: true }, ad(token));

test('ads that become viewable within two seconds share a beacon below the base URL', () => {
  seen('a');
  vi.advanceTimersByTime(1999);
  seen('b');
  expect(beacons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(beacons).toEqual([['https://blog.example/api/measure/viewable', ['a', 'b']]]);
  seen('c');
  vi.advanceTimersByTime(2000);
  expect(beacons.slice(1)).toEqual([['https://blog.example/api/measure/viewable', ['c']]]);
});

test.each([
  ['visibilitychange', () => document],
  ['pagehide', () => window],
])('the rest is sent on %s', (type, target) => {
  seen('a');
  target().dispatchEvent(new Event(type));
  expect(beacons).toEqual([['https://blog.example/api/measure/viewable', ['a']]]);
});

test('a beacon has at most 20 tokens', () => {
  for (let number = 0; number < 45; number += 1) seen(String(number));
  vi.advanceTimersByTime(2000);
  expect(beacons.map(([, tokens]) => tokens.length)).toEqual([20, 20, 5]);
});

test('tokens that the browser refuses to send are sent later', () => {
  takes = false;
  seen('a');
  vi.advanceTimersByTime(5000);
  takes = true;
  vi.advanceTimersByTime(2000);
  expect(beacons).toEqual([['https://blog.example/api/measure/viewable', ['a']]]);
});

test.each([
  ['https://blog.example', '@evil.example/measure'],
  ['https://blog.example', '.evil.example/measure'],
  ['https://blog.example', 'https://evil.example/measure'],
  ['', '//evil.example/measure'],
  ['/', '/\\evil.example/measure'],
])('nothing is sent to another origin: base URL %j, path %j', (baseUrl, path) => {
  seen('a', path, baseUrl);
  vi.advanceTimersByTime(2000);
  expect(beacons.map(([url]) => new URL(url).origin).filter((origin) => origin.includes('evil'))).toEqual([]);
});

test('nothing is sent without consent, to a server that does not name a path, or by a transport without headers', () => {
  view('https://blog.example', transport(), { ads: true }, ad('a'));
  const { headers: _, ...bare } = transport();
  view('https://blog.example', bare, { ads: true }, ad('a'));
  view('https://blog.example', transport('/measure/viewable'), { ads: false }, ad('a'));
  vi.advanceTimersByTime(60_000);
  expect(beacons).toEqual([]);
});
