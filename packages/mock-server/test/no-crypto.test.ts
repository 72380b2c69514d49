import { build } from 'esbuild';
import { afterEach, expect, test, vi } from 'vitest';
import { launchChromium } from '../../../tools/testing/browsers.ts';
import { CHROMIUM } from '../../../tools/testing/programs.ts';
import { createMock } from '../src/node.ts';
import { visit } from './support/visit.ts';

// Pages on plain http have neither WebCrypto nor `randomUUID`, and neither does Hermes.

if (!CHROMIUM) console.warn('\n*** SKIPPED: Chromium is not installed: no page on plain http is tried ***\n');

afterEach(() => vi.unstubAllGlobals());

test('a world delivers and counts without crypto', async () => {
  vi.stubGlobal('crypto', undefined);
  const { main } = createMock();
  const { id, clickToken } = await visit(main).deliver();
  expect(await visit(main).click(clickToken)).toBe(200);
  expect(await visit(main).click(`${clickToken}x`)).toBe(400);
  expect(main.ad(id).clicks).toBe(1);
});

test.skipIf(!CHROMIUM)('a page on plain http delivers and counts', async () => {
  const program = `import { createMock } from './src/browser.ts';
    const { main, fetch, baseUrl } = createMock();
    const headers = { 'X-API-Key': main.apiKey, 'Content-Type': 'application/json' };
    const ad = await (await fetch(baseUrl + '/public/ads/formats/POPUP', { headers })).json();
    const body = JSON.stringify({ clickToken: ad.clickToken });
    const { status } = await fetch(baseUrl + '/public/ads/tracking/click', { method: 'POST', headers, body });
    document.title = [isSecureContext, typeof crypto.subtle, status, main.ad(ad.id).clicks].join(' ');`;
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: `${import.meta.dirname}/..` },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@broadsheet/source', 'browser', 'module'],
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.route('http://site.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/page.js"></script>' }),
    );
    await page.route('http://site.example/page.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
    );
    await page.goto('http://site.example/');
    await expect.poll(() => page.title()).toBe('false undefined 200 1');
  } finally {
    await browser.close();
  }
});
