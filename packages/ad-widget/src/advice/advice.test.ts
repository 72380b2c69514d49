import { afterEach, expect, test, vi } from 'vitest';
import { advise } from './advice.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a diagnosis is made again for each failure, and printed once', async () => {
  let isBlocked = true;
  const fetch = vi.fn(async (url: string) => {
    if (isBlocked && url.includes('/public/ads')) throw new TypeError('Failed to fetch');
    return new Response();
  });
  vi.stubGlobal('fetch', fetch);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const fail = () => advise('https://api.example', new TypeError('Failed to fetch'));
  expect(await fail()).toBe('blocked');
  isBlocked = false;
  expect(await fail()).toBeUndefined();
  isBlocked = true;
  expect(await fail()).toBe('blocked');
  const texts = warn.mock.calls.map(([text]) => String(text));
  expect(texts.filter((text) => text.includes('an ad blocker?'))).toHaveLength(1);
});

test('failures at the same time share one diagnosis', async () => {
  const fetch = vi.fn(async () => new Response());
  vi.stubGlobal('fetch', fetch);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await Promise.all([1, 2, 3].map(() => advise('https://busy.example', new TypeError('Failed to fetch'))));
  expect(fetch).toHaveBeenCalledTimes(2);
});
