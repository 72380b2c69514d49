import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivered } from './creative.ts';
import { reportViewable } from './viewable.ts';

const beacons: [url: string, tokens: string[]][] = [];
let takes = true;
const newReporter = () => ({
  baseUrl: '',
  consent: { ads: true, storage: true },
  signal: new AbortController().signal,
});
let reporter = newReporter();

beforeEach(() => {
  vi.useFakeTimers();
  takes = true;
  reporter = newReporter();
  const sendBeacon = (url: string, body: string) => takes && !!beacons.push([url, body.split('\n')]);
  vi.stubGlobal('navigator', { sendBeacon });
});
afterEach(() => {
  takes = true;
  vi.advanceTimersByTime(60_000);
  beacons.length = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ad = (clickToken: string, viewableUrl?: string): Delivered => ({
  ad: { slotId: 'top', format: 'BANNER', filled: true, id: '1', clickToken, viewableUrl },
  expiresAt: Date.now() + 600_000,
});
const seen = (token: string, path = '/measure/viewable', baseUrl = 'https://blog.example/api/') => {
  reporter.baseUrl = baseUrl;
  reportViewable(reporter, ad(token, path));
};

test('ads that become viewable within two seconds share a beacon under the base URL', () => {
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
])('waiting reports are sent on %s', (type, target) => {
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

test('there is one timer, however often the tab is switched while the browser refuses beacons', () => {
  takes = false;
  seen('a');
  for (let time = 0; time < 20; time++) document.dispatchEvent(new Event('visibilitychange'));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(6000);
  expect(vi.getTimerCount()).toBe(1);
});

test('a token that the browser refuses is dropped when it expires', () => {
  takes = false;
  seen('a');
  vi.advanceTimersByTime(602_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('without sendBeacon there is neither a report nor a timer', () => {
  vi.stubGlobal('navigator', {});
  seen('a');
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing waits to be sent when consent is withdrawn or the client is destroyed', () => {
  seen('a');
  reporter.consent.ads = false;
  vi.advanceTimersByTime(2000);
  reporter.consent.ads = true;
  vi.advanceTimersByTime(2000);
  expect(beacons).toEqual([]);
  const stop = new AbortController();
  reporter = { ...reporter, signal: stop.signal };
  seen('b');
  stop.abort();
  vi.advanceTimersByTime(2000);
  expect(beacons).toEqual([]);
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

test('nothing is sent for an ad whose transport does not name a path', () => {
  reportViewable(reporter, ad('a'));
  vi.advanceTimersByTime(60_000);
  expect(beacons).toEqual([]);
});
