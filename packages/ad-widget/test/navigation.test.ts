import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!executablePath) console.warn('\n*** SKIPPED: Chromium is not installed: the widget is not clicked ***\n');

/** Clicks per variant; `CLICKS=50` for the measurement in the README. */
const rounds = Number(process.env['CLICKS'] ?? 5);

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

async function site(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const server: Server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe.skipIf(!executablePath)('in a page of another origin than the API', () => {
  const clicks: string[] = [];
  const requests: string[] = [];
  /** How long the API thinks about a preflight, milliseconds. */
  let preflight = 0;
  let html = '';
  let policy = '';
  let counter = 0;
  let browser: Browser;
  let api: Site;
  let advertiser: Site;
  let publisher: Site;

  beforeAll(async () => {
    const bundle = async (name: string): Promise<string> => {
      const { outputFiles } = await build({
        entryPoints: [source(name)],
        bundle: true,
        write: false,
        format: 'iife',
        conditions: ['@broadsheet/source'],
      });
      return outputFiles[0]?.text ?? '';
    };
    const script = await bundle('script.ts');
    const css = readFileSync(source('broadsheet.css'), 'utf8');
    advertiser = await site((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<link rel="icon" href="data:,"><h1>Arrived</h1>');
    });
    api = await site((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
      requests.push(`${request.method} ${request.url}`);
      if (request.method === 'OPTIONS') return void setTimeout(() => response.writeHead(204).end(), preflight);
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        const message = JSON.parse(body);
        response.setHeader('Content-Type', 'application/json');
        if (request.headers['x-api-key'] !== 'the-key') return response.writeHead(401).end('{}');
        if (message.clickToken) {
          // As the API: a token counts once. A page that goes away may have repeated a post that had arrived.
          if (clicks.includes(message.clickToken)) return response.writeHead(409).end('{}');
          clicks.push(message.clickToken);
          return response.end('{"status":"ok"}');
        }
        const answer = message.slots.map((slot: object) => ({
          ...slot,
          filled: true,
          id: '3b241101-e2bb-4255-8caf-4136c566a962',
          title: 'An ad',
          content: 'with words '.repeat(30),
          linkText: 'Read more',
          linkUrl: advertiser.origin,
          imageUrl: `${publisher.origin}/ad.png`,
          clickToken: `token-${++counter}`,
        }));
        return response.end(JSON.stringify(answer));
      });
    });
    publisher = await site((request, response) => {
      if (request.url === '/broadsheet.js') {
        response.setHeader('Content-Type', 'text/javascript').end(script);
      } else if (request.url === '/broadsheet.css') {
        response.setHeader('Content-Type', 'text/css').end(css);
      } else if (request.url === '/ad.png') {
        const pixel =
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwAEhAGAnvZ3CwAAAABJRU5ErkJggg==';
        response.setHeader('Content-Type', 'image/png').end(Buffer.from(pixel, 'base64'));
      } else {
        if (policy) response.setHeader('Content-Security-Policy', policy);
        response.setHeader('Content-Type', 'text/html').end(html);
      }
    });
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([api, advertiser, publisher].map((one) => one?.close()));
  });

  const head = () => `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/broadsheet.css">
<script async src="/broadsheet.js" data-base-url="${api.origin}" data-api-key="the-key"></script>`;
  const strict = () =>
    `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${api.origin}; img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'`;

  test.each([
    ['a new tab', false, {}],
    ['the same tab', true, {}],
    ['the middle button', false, { button: 'middle' }],
    ['ctrl and click', false, { modifiers: ['Control'] }],
    ['the Enter key', false, 'Enter'],
  ] as const)(
    'every click arrives: %s',
    async (_, sameTab, how) => {
      clicks.length = 0;
      preflight = 30;
      policy = '';
      html = `${head()}<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
      const context = await browser.newContext();
      for (let round = 0; round < rounds; round++) {
        const page = await context.newPage();
        await page.goto(publisher.origin);
        const link = page.locator('broadsheet-slot a');
        await link.waitFor();
        if (sameTab) await link.evaluate((element) => element.removeAttribute('target'));
        const arrival = sameTab ? page.waitForURL(`${advertiser.origin}/`) : context.waitForEvent('page');
        if (how === 'Enter') await link.press(how);
        else await link.click(how as Parameters<typeof link.click>[0]);
        await arrival;
        for (const open of context.pages()) if (open !== page) await open.close();
        await page.close();
      }
      await expect.poll(() => clicks.length, { timeout: 10_000 }).toBe(rounds);
      await context.close();
    },
    120_000,
  );

  test('under the strictest policy: no message on the console, no layout shift, one request for 20 slots', async () => {
    policy = strict();
    preflight = 0;
    requests.length = 0;
    const formats = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];
    html = `${head()}<body>${Array.from(
      { length: 20 },
      (_, index) => `<broadsheet-slot name="s${index}" format="${formats[index % 4]}"></broadsheet-slot><p>Text</p>`,
    ).join('')}`;
    const page = await browser.newPage({ viewport: { width: 1280, height: 6000 } });
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    await page.goto(publisher.origin);
    await page.locator('broadsheet-slot[name=s19] a').waitFor();
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0;
          }).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
        }),
    );
    expect(shift).toBe(0);
    expect(messages).toEqual([]);
    expect(requests).toEqual(['OPTIONS /public/ads/formats', 'POST /public/ads/formats']);
    await page.close();
  });

  test('a policy without the API: the console names the directive, the page goes on', async () => {
    policy = strict().replace(`connect-src ${api.origin};`, "connect-src 'self';");
    html = `${head()}<body><broadsheet-slot name="top" format="BANNER"><p>House ad</p></broadsheet-slot>`;
    const page = await browser.newPage();
    const said = page.waitForEvent('console', (message) => message.text().startsWith('broadsheet:'));
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(publisher.origin);
    expect((await said).text()).toContain(`add "connect-src ${api.origin}"`);
    expect(await page.getByText('House ad').isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('commands pushed before and after loading run once for each client of the page', async () => {
    policy = '';
    html = `${head().replace(
      '<script',
      `<script>(window.broadsheet ??= []).push((ads) => { document.title += ' before:' + ads.client })</script><script`,
    )}<script async src="/broadsheet.js" data-base-url="${api.origin}" data-api-key="the-key" data-client="b"></script>
<body><broadsheet-slot name="one" format="BANNER"></broadsheet-slot><broadsheet-slot name="two" client="b" format="BANNER"></broadsheet-slot>`;
    const page = await browser.newPage();
    await page.goto(publisher.origin);
    await page.locator('[name=one] a').waitFor();
    await page.locator('[name=two] a').waitFor();
    const clients = await page.evaluate(() => {
      const seen: string[] = [];
      const queue = (window as unknown as { broadsheet: ((ads: { client: string }) => void)[] }).broadsheet;
      queue.push((ads) => seen.push(ads.client));
      return seen.sort();
    });
    expect(clients).toEqual(['', 'b']);
    expect((await page.title()).split(' before:').slice(1).sort()).toEqual(['', 'b']);
    await page.close();
  });
});
