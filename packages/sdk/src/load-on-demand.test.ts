import { beforeEach, expect, test, vi } from 'vitest';
import { client, failureOf } from '../test/support/client.ts';
import { loadOnDemand } from './load-on-demand.ts';

beforeEach(() => {
  vi.resetModules();
});

test('a chunk that a browser cannot load is a retryable NetworkError', async () => {
  vi.doMock('./on-demand.ts', () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
  const failed = loadOnDemand();
  await expect(failed).rejects.toMatchObject({ name: 'NetworkError', code: 'NETWORK_ERROR', retryable: true });
  await expect(failed).rejects.toThrow('a part of the client that this call needs could not be loaded.');
});

test('timeout and signal end a call whose code does not arrive', async () => {
  vi.doMock('./on-demand.ts', () => new Promise(() => {}));
  const fetch = vi.fn(async () => new Response('<h1>Sign in</h1>'));
  const { ads, tags } = client('https://blog.example', { fetch });
  const visitor = { origin: 'https://blog.example' };
  const leave = new AbortController();
  const patient = failureOf(ads.click('token', { visitor, timeout: false, signal: leave.signal }));
  expect(await failureOf(ads.deliver('BANNER', { visitor, timeout: 20 }))).toMatchObject({ code: 'TIMEOUT' });
  leave.abort();
  expect(await patient).toMatchObject({ code: 'ABORTED' });
  expect(fetch).not.toHaveBeenCalled();
  expect(await failureOf(tags.list({ timeout: 20 }))).toMatchObject({ code: 'TIMEOUT', phase: 'parse' });
});
