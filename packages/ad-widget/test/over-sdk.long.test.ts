import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { KEY } from './site/api.ts';
import { openSites, type Sites } from './site/sites.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A page's module that starts the widget over the SDK. */
const STARTED = `import { createClient } from './packages/sdk/src/index.ts';
import { createAds } from './packages/ad-widget/src/index.ts';
const { baseUrl, apiKey } = document.currentScript.dataset;
window.ads = createAds({ baseUrl, apiKey, transport: createClient({ baseUrl, apiKey, browser: true }).ads });`;

describeInEach('the widget over the SDK', (stage) => {
  let sites: Sites;
  beforeEach(async () => {
    const { outputFiles } = await build({
      stdin: { contents: STARTED, resolveDir: root, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'iife',
      conditions: ['@broadsheet/source'],
    });
    const opened = await openSites({ 'over-sdk.js': outputFiles[0]?.text ?? '' });
    onTestFinished(() => opened.close());
    sites = opened;
  });

  test.each([
    ['that accepts keys fills the slot when it is back, and counts it once', true],
    ['without keys counts a lost delivery once', false],
  ])('when a gateway responds with 504 while the page is being opened, an API %s', async (_, idempotent) => {
    const { api, page: site, publisher } = sites;
    Object.assign(api, { idempotent, lost: 504 });
    site.html = `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/broadsheet.css">
<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>
<script src="/over-sdk.js" data-base-url="${api.url}" data-api-key="${KEY}"></script>`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(publisher.url);
    await expect.poll(() => api.delivered).toBe(1);
    const counted = api.keys.length;
    api.lost = false;
    const isFilled = () =>
      page.evaluate(() => !!document.querySelector('broadsheet-slot')?.shadowRoot?.querySelector('.ad'));
    const asked = () => api.requests.filter((request) => request === 'POST /public/ads/tracking/impression').length;
    await expect.poll(asked, { timeout: 20_000 }).toBe(1);
    if (idempotent) await expect.poll(isFilled, { timeout: 20_000 }).toBe(true);
    // Longer than a repeat without a wait would take.
    else await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2000)));
    expect(api.delivered).toBe(1);
    expect(api.keys.length).toBe(counted + Number(idempotent));
    expect(new Set(api.keys).size).toBe(1);
  });
});
