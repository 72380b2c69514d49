import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { type WidgetFileName, widgetFiles } from '../tools/files.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from './hostile.ts';
import { openPopup } from './site/open-popup.ts';
import { useSites } from './site/sites.ts';

const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];
const slots = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<broadsheet-slot name="s${index}" format="${FORMATS[index % 4]}"></broadsheet-slot><p>Text</p>`,
  ).join('');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describeInChromium('the published script under a Content-Security-Policy', (stage) => {
  const sites = useSites({ 'axe.js': AXE });
  let page: Page;

  beforeEach(async () => {
    page = await stage.newPage({ viewport: { width: 1280, height: 6000 } });
    sites.page.policy = sites.strict();
    sites.api.respond = () => ({ imageUrl: `${sites.publisher.url}/ad.png` });
    sites.api.requests.length = 0;
  });

  test('the strictest policy allows 20 slots in one request and a popup, without console messages or layout shifts', async () => {
    sites.page.html = `${sites.head()}<body>${slots(20)}<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
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
    expect(sites.api.requests).toEqual(['OPTIONS /public/ads/formats', 'POST /public/ads/formats']);
    await (await openPopup(page)).click();
    expect(said).toEqual([]);
  });

  test.each(['strict', 'none'])(
    'hostile texts and hostile URLs in every field run nothing (policy: %s)',
    async (policy) => {
      if (policy === 'none') sites.page.policy = '';
      const corpus = [...HOSTILE_WORDS, ...HOSTILE_ADDRESSES];
      sites.api.respond = ({ slotId }) => {
        const words = corpus[Number(slotId)] ?? '';
        return { title: words, content: words, linkText: words, linkUrl: words, imageUrl: words, id: words };
      };
      sites.page.html = `${sites.head()}<body>${corpus
        .map((_, index) => `<broadsheet-slot name="${index}" format="NATIVE"></broadsheet-slot>`)
        .join('')}`;
      const said = recordConsole(page);
      await page.setViewportSize({ width: 1280, height: 20_000 });
      await page.goto(sites.publisher.url);
      await expect.poll(() => page.locator('broadsheet-slot .ad').count()).toBe(corpus.length);
      for (const link of await page.locator('broadsheet-slot .link').all()) await link.click();
      expect(await page.locator('broadsheet-slot [href], broadsheet-slot [src]').count()).toBe(0);
      expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
      expect(page.url()).toBe(`${sites.publisher.url}/`);
      expect(said).toEqual([]);
    },
  );

  test('if the policy blocks the API, the console names the directive and the page still works', async () => {
    sites.page.policy = sites.strict().replace(`connect-src ${sites.api.url};`, "connect-src 'self';");
    sites.page.html = `${sites.head()}<body><broadsheet-slot name="top" format="BANNER"><p>House ad</p></broadsheet-slot>`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    await expect
      .poll(() => said.join())
      .toContain(`change its "connect-src 'self'" to "connect-src 'self' ${sites.api.url}"`);
    expect(await page.getByText('House ad').isVisible()).toBe(true);
    expect(said.filter((text) => /uncaught|unhandled/i.test(text))).toEqual([]);
  });

  test('for a policy with only default-src, the advised directive repeats its sources', async () => {
    sites.page.policy = "default-src 'self' 'unsafe-inline' https://cdn.example; img-src *";
    sites.page.html = `${sites.head()}<body>${slots(1)}`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    const advice = `add "connect-src 'self' https://cdn.example ${sites.api.url}"`;
    await expect.poll(() => said.join()).toContain(advice);
    sites.page.policy += `; ${advice.slice('add "'.length, -1)}`;
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').waitFor();
    expect(await page.evaluate(() => fetch('/ad.png').then(({ ok }) => ok))).toBe(true);
  });

  test('the console explains why clicks from a frame without an origin are refused', async () => {
    const frame = `${sites.head()}<body><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
    sites.page.policy = '';
    sites.page.html = `<!doctype html><iframe sandbox="allow-scripts allow-popups" srcdoc='${frame.replaceAll('"/', `"${sites.publisher.url}/`)}' width="800" height="300"></iframe>`;
    sites.api.refuseOrigin = 'null';
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    await page.frameLocator('iframe').locator('broadsheet-slot a').click();
    await expect.poll(() => said.join()).toContain('allow-same-origin');
    sites.api.refuseOrigin = undefined;
  });

  test('axe finds no violations in the five formats, in light and dark', async () => {
    sites.page.html = `${sites.head()}<meta name="color-scheme" content="light dark"><script src="/axe.js"></script><body><main><h1>Ads</h1>${slots(4)}<broadsheet-slot name="p" format="POPUP" every="0"></broadsheet-slot></main>`;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(sites.publisher.url);
      await page.locator('broadsheet-slot[name=s3] a').waitFor();
      const close = await openPopup(page);
      await close.evaluate((button) =>
        Promise.all(
          button
            .closest('.ad')
            ?.getAnimations()
            .map(({ finished }) => finished) ?? [],
        ),
      );
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
        return (await axe.run()).violations.map(({ id }) => id);
      });
      expect(found).toEqual([]);
    }
  });

  test('an import map pins the files that are loaded on demand', async () => {
    const files = await widgetFiles();
    const hashOf = (name: WidgetFileName) =>
      `sha384-${createHash('sha384')
        .update(files.get(name) ?? '')
        .digest('base64')}`;
    const right = hashOf('broadsheet-popup.js');
    // A tag that is pinned, too: the script then requests its files without their version.
    const pinned = sites.head(`integrity="${hashOf('broadsheet.js')}"`);
    sites.page.policy = '';
    for (const [hash, comes] of [
      [right, true],
      [right.replace(/.{8}$/, 'AAAAAAAA'), false],
    ] as const) {
      const map = JSON.stringify({ integrity: { '/broadsheet-popup.js': hash } });
      sites.page.html = `<script type="importmap">${map}</script>${pinned}<body><broadsheet-slot name="p" format="POPUP" every="0"></broadsheet-slot>`;
      const said = recordConsole(page);
      await page.goto(sites.publisher.url);
      if (comes) await openPopup(page);
      else await expect.poll(() => said.join()).toMatch(/integrity/i);
    }
  });
});
