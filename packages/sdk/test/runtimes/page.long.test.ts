import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CHROMIUM } from '../../../../tools/testing/programs.ts';
import type { createClient as create } from '../../src/index.ts';
import { json } from '../support/responses.ts';
import { serve } from '../support/serve.ts';
import { addModule, bundled, withChromium } from './runtime.ts';

// Behaviour that only a browser shows.

declare global {
  var createClient: typeof create;
  var refused: string[];
  var drifts: string[];
  var codeOf: (url: string, propagate?: boolean) => Promise<string>;
}

const missing = !CHROMIUM && !process.env['REQUIRE_BROWSER'];
if (missing) console.warn('\n*** SKIPPED: chromium is not installed: the client is not tried in a page ***\n');

const pages = (): Promise<{ url: string }> =>
  serve((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title>'));

test.skipIf(missing)('clicks arrive although the page navigates away with them', async () => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-api-key, content-type' };
  const api = await serve((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
    else json(response, 200, { status: 'ok' }, cors);
  });
  const { url } = await pages();
  await bundled('globalThis.createClient = createClient;', (path) =>
    withChromium(async (browser) => {
      const page = await browser.newPage();
      for (let nth = 0; nth < 10; nth++) {
        await page.goto(`${url}/${nth}`);
        await addModule(page, path, 'createClient');
        await page.evaluate(
          ([baseUrl, token]) => {
            const blog = globalThis.createClient({ baseUrl, apiKey: 'key', browser: true });
            void blog.ads.click(token).safe();
            location.href = '/elsewhere';
          },
          [api.url, `token-${nth}`] as const,
        );
        await page.waitForURL('**/elsewhere');
      }
      await expect.poll(() => api.seen.filter(({ method }) => method === 'POST').length).toBe(10);
    }),
  );
  const tokens = api.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).clickToken);
  expect(tokens.toSorted()).toEqual(Array.from({ length: 10 }, (_, nth) => `token-${nth}`));
});

test.skipIf(missing)('the console warns once that the key of the page can be read, with advice', async () => {
  const { url } = await pages();
  await bundled('globalThis.createClient = createClient;', (path) =>
    withChromium(async (browser) => {
      const warned = async (confirmed: boolean): Promise<string[]> => {
        const page = await browser.newPage();
        const messages: string[] = [];
        page.on('console', (message) => messages.push(message.text()));
        await page.goto(url);
        await addModule(page, path, 'createClient');
        await page.evaluate((browser) => {
          for (let nth = 0; nth < 3; nth++)
            globalThis.createClient({ baseUrl: 'https://blog.example', apiKey: 'SECRET', browser });
        }, confirmed);
        await page.close();
        return messages;
      };
      const messages = await warned(false);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatch(/can read the API key.*\{ browser: true \}/);
      expect(messages[0]).not.toContain('SECRET');
      expect(await warned(true)).toEqual([]);
    }),
  );
});

// It runs as a script of the page, because code that is evaluated from outside is exempt from the policy.
const program = `
globalThis.refused = [];
addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused.push(violatedDirective));
const drifts = [];
const onDrift = ({ path }) => drifts.push(path);
const blog = createClient({ baseUrl: location.origin, apiKey: 'key', browser: true, onDrift });
blog.posts.list().then(() => {
  globalThis.drifts = drifts;
  setTimeout(() => { try { new Function(''); } catch {} }, 500);
});`;

const tracedProgram = `
import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { tracing } from '../../src/otel/index.ts';
trace.setGlobalTracerProvider(new BasicTracerProvider());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
globalThis.codeOf = async (baseUrl, propagate) => {
  const middleware = [tracing({ propagate })];
  const blog = createClient({ baseUrl, apiKey: 'key', browser: true, retry: 0, middleware });
  const { error } = await blog.tags.list().safe();
  return error ? error.code : 'ok';
};`;

test.skipIf(missing)('a strict content security policy finds nothing to refuse', async () => {
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
  await bundled(program, (path) =>
    withChromium(async (browser) => {
      const code = await readFile(path, 'utf8');
      const { url } = await serve((request, response) => {
        if (request.url === '/program.mjs') response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
        else if (request.url.startsWith('/public')) json(response, 200, { success: true, data: [{ id: '1' }] });
        else {
          response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
          response.end('<title>page</title><script type="module" src="/program.mjs"></script>');
        }
      });
      const page = await browser.newPage();
      await page.goto(url);
      // The response was validated and its difference reported. Only the code from a string at the end is refused.
      await expect.poll(() => page.evaluate(() => globalThis.drifts)).toContain('*.title');
      await expect.poll(() => page.evaluate(() => globalThis.refused)).not.toEqual([]);
      expect(await page.evaluate(() => globalThis.refused)).toHaveLength(1);
    }),
  );
});

test.skipIf(missing)('tracing sends its headers to the origin of the page only, by default', async () => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-api-key, content-type' };
  const api = await serve((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
    else json(response, 200, { success: true, data: [] }, cors);
  });
  const own = await serve((request, response) => {
    if (request.url.startsWith('/public')) json(response, 200, { success: true, data: [] });
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title>');
  });
  await bundled(tracedProgram, (path) =>
    withChromium(async (browser) => {
      const page = await browser.newPage();
      await page.goto(own.url);
      await addModule(page, path, 'codeOf');
      const codeOf = (url: string, propagate?: boolean) =>
        page.evaluate(([at, how]) => globalThis.codeOf(at, how), [url, propagate] as const);
      expect(await codeOf(api.url)).toBe('ok');
      expect(await codeOf(own.url)).toBe('ok');
      // A header that the server's preflight does not allow fails the call. This is why the default sends none.
      expect(await codeOf(api.url, true)).toBe('NETWORK_ERROR');
    }),
  );
  const traced = ({ seen }: typeof api) =>
    seen
      .filter(({ url, method }) => url.startsWith('/public') && method === 'GET')
      .map(({ headers }) => 'traceparent' in headers);
  expect([traced(api), traced(own)]).toEqual([[false], [true]]);
});
