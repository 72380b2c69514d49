import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../tools/testing/databases.ts';
import { CHROMIUM } from '../../../tools/testing/programs.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type Blog, createClient } from '../../sdk/src/index.ts';
import { addModule, bundled, withChromium } from '../../sdk/test/runtimes/runtime.ts';
import { serve } from './broadsheet.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { adCounts } from './events.ts';
import { nginx, startPlainNginx } from './nginx.ts';

/** A real server with one ad. */
async function start(database: TestDatabase) {
  const url = await database.another();
  await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
  const server = await serve(['--import', 'blog.json', '--database', url], database);
  onTestFinished(async () => void (await server.stop()));
  const options = { apiKey: 'test-key', retry: { sleep: async () => {} } };
  return {
    url: server.url,
    apiKey: options.apiKey,
    client: (baseUrl: string) => createClient({ ...options, baseUrl }),
    counted: () => adCounts('news', url, database),
  };
}

const deliver = (blog: Blog, number: number) =>
  number % 2 === 0
    ? blog.ads.deliver('BANNER')
    : blog.ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }]).then(([ad]) => ad);

describeDatabases('a delivery whose response is lost', (database) => {
  it('a delivery counts one impression and returns the ad, even if its response is cut at any byte', async () => {
    const { url, client, counted } = await start(database);
    const proxy = await startCuttingProxy(url);
    const blog = client(proxy.url);
    expect(await deliver(blog, 0)).toMatchObject({ filled: true });
    const { length } = proxy;
    expect(length).toBeGreaterThan(500);
    for (let bytes = 0; bytes < length; bytes += 1) {
      proxy.cutNext(bytes);
      expect(await deliver(blog, bytes), `cut after ${bytes} bytes`).toMatchObject({ filled: true });
    }
    // After 600 deliveries in a minute, a token says "burst" and not "unknown": such a response ends before the last cuts.
    expect(proxy.cuts).toBeGreaterThan(length - 10);
    expect(proxy.deliveries).toBe(length + 1 + proxy.cuts);
    expect(await counted()).toEqual({ impressions: length + 1, clicks: 0 });
  });

  // The test above covers how the store counts a repeated request; the tests below cover who repeats it.
  if (database.kind === 'PostgreSQL') return;

  it.skipIf(!nginx)('a delivery counts one impression if nginx responds with an HTML page and 504', async () => {
    const { url, client, counted } = await start(database);
    let late = 0;
    // Forwards every request and withholds every second response.
    const slow = await openSite(async ({ url: path = '', headers }, outgoing) => {
      const response = await fetch(url + path, { headers: { 'x-api-key': String(headers['x-api-key']) } });
      const body = await response.text();
      late += 1;
      if (late % 2 === 0) return;
      const accepted = response.headers.get('idempotency-accepted') ?? 'false';
      outgoing.writeHead(response.status, { 'idempotency-accepted': accepted }).end(body);
    });
    onTestFinished(() => slow.close());
    const blog = client(await startPlainNginx(slow.url, '2s'));
    for (let number = 0; number < 3; number += 1) {
      const { data, attempts } = await blog.ads.deliver('BANNER').withMeta();
      expect(data).toMatchObject({ filled: true });
      expect(attempts.map(({ status }) => status)).toEqual(number === 0 ? [200] : [504, 200]);
    }
    expect(await counted()).toEqual({ impressions: 3, clicks: 0 });
  });

  it.skipIf(!CHROMIUM)('a delivery counts one impression if Chromium itself resends the request', async () => {
    const { url, apiKey, counted } = await start(database);
    const proxy = await startCuttingProxy(url);
    const site = await openSite((_, outgoing) =>
      outgoing.setHeader('content-type', 'text/html').end('<title>page</title>'),
    );
    onTestFinished(() => site.close());
    await bundled('globalThis.createClient = createClient;', (path) =>
      withChromium(async (browser) => {
        const page = await browser.newPage();
        await page.goto(site.url);
        await addModule(page, path, 'createClient');
        const once = () =>
          page.evaluate(
            async (options) => {
              const blog = globalThis.createClient({ ...options, browser: true, retry: 0 });
              const { data, error } = await blog.ads.deliver('BANNER').safe();
              return data?.filled ?? error?.message;
            },
            { baseUrl: proxy.url, apiKey },
          );
        expect(await once()).toBe(true);
        for (let number = 0; number < 8; number += 1) {
          proxy.cutNext(0);
          expect(await once()).toBe(true);
        }
      }),
    );
    // The client does not retry here: the browser sent each of the eight twice.
    expect([proxy.cuts, proxy.deliveries]).toEqual([8, 17]);
    expect(await counted()).toEqual({ impressions: 9, clicks: 0 });
  });
});
