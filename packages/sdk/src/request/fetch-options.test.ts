import { afterEach, expect, test, vi } from 'vitest';
import { client } from '../../test/support/client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a cache mode that workerd refuses is left out, and a warning says so once', async () => {
  // As it is there; the suite in test/runtimes runs the real one.
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  class Refusing {
    constructor(_: string, { cache }: RequestInit) {
      if (cache === 'force-cache') throw new TypeError('Unsupported cache mode: force-cache');
    }
  }
  vi.stubGlobal('Request', Refusing);
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const modes: unknown[] = [];
  const fetch = async (url: string, { cache }: RequestInit): Promise<Response> => {
    modes.push(cache);
    return Response.json(url.includes('/ads/') ? { filled: false } : { success: true, data: [] });
  };
  const blog = client('https://blog.example', { fetch });
  for (let nth = 0; nth < 2; nth++) await blog.tags.list({ fetchOptions: { cache: 'force-cache' } });
  await blog.tags.list({ fetchOptions: { cache: 'no-cache' } });
  await blog.ads.deliver('BANNER', { fetchOptions: { cache: 'force-cache' } });
  expect(modes).toEqual([undefined, undefined, 'no-cache', 'no-store']);
  expect(warned.mock.calls.flat()).toEqual([expect.stringContaining('"force-cache"')]);
});
