import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';
import { visit } from './visitor.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [tea] = NEWS.ads.map(({ id }) => id);
const PAGES = [
  '/panel/news',
  '/panel/news?period=yesterday&metric=ctr',
  `/panel/news?ad=${tea}`,
  '/panel/news/ads',
  '/panel/news/ads?q=nothing+like+it',
  '/panel/news/ads/new',
  `/panel/news/ads/${tea}`,
  `/panel/news/ads/${tea}/delete`,
  '/panel/news/posts',
  '/panel/news/posts/p1',
  '/panel/news/posts/p2',
  '/panel/news/posts/p3/delete',
  '/panel/news/embed',
  '/panel/news/keys',
  '/panel/news/keys/rotate',
  '/panel/news/import',
  '/panel/news/settings?done=saved',
  '/panel/empty',
  '/panel/empty/ads',
  '/panel/empty/posts',
  '/panel/blogs',
  '/panel/people',
  '/panel/people/Ada/revoke',
  '/panel/log',
  '/panel/nowhere',
  '/panel/sign-in?token=link-for-axe',
];

describeInChromium('pages of the panel', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs([NEWS, { id: 'empty', name: 'Empty' }], Date.now());
    const now = Date.now();
    await panel.store.recordImpressions('news', Array(300).fill(tea), now - 86_400_000);
    await panel.store.invitePerson({ name: 'Axel', role: 'view', blogId: null }, 'link-for-axe', now);
    await panel.store.writeLog({ at: new Date(now).toISOString(), who: 'Ada', blogId: 'news', what: 'did something' });
  });
  afterAll(() => panel?.close());

  for (const [name, options] of Object.entries({
    'in the light': { colorScheme: 'light' },
    'in the dark': { colorScheme: 'dark' },
    'on a phone': { viewport: { width: 390, height: 844 } },
  } as const)) {
    it(`axe finds nothing ${name}, no page is wider than the screen, and no policy is broken`, async () => {
      const { page, complaints } = await visit(stage, panel, MANAGER, options);
      const found: string[] = [];
      for (const path of PAGES) {
        await page.goto(panel.url + path);
        await page.evaluate(AXE);
        const violations = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as { axe: typeof Axe };
          const { violations } = await axe.run(document, { iframes: false });
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
        });
        found.push(...violations.map((text) => `${path} ${text}`));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) found.push(`${path} is ${overflow} px too wide`);
      }
      expect(found).toEqual([]);
      expect(complaints.filter((text) => !/404/.test(text))).toEqual([]);
    });
  }

  it('every page but a form of an ad says with scripts off what it says with them', async () => {
    const { page } = await visit(stage, panel, MANAGER, { javaScriptEnabled: false });
    const { page: scripted } = await visit(stage, panel, MANAGER);
    for (const path of PAGES.slice(0, -1)) {
      await page.goto(panel.url + path);
      await scripted.goto(panel.url + path);
      const words = async (one: typeof page) =>
        (await one.locator('main h1, main h2, main button[type="submit"]').allTextContents()).join('|');
      expect(await words(page), path).toBe(await words(scripted));
    }
  });

  it('shows the value under the pointer, and numbers and lines that move while ads are served', async () => {
    const { page } = await visit(stage, panel, VIEWER);
    await page.goto(`${panel.url}/panel/news?period=7`);
    await page.locator('.chart-wide .hit').nth(5).hover();
    expect(await page.locator('[data-tip]').textContent()).toMatch(/: 300 Impressions, before 0$/);
    const line = () => page.locator('.chart-wide path.now').getAttribute('d');
    const before = await line();
    await panel.store.recordImpressions('news', Array(1234).fill(tea), Date.now());
    await expect.poll(() => page.locator('[data-live="total-impressions"]').textContent()).toBe('1,534');
    await expect.poll(() => page.locator(`[data-live="ad-${tea}-impressions"]`).textContent()).toBe('1,534');
    expect(await line()).not.toBe(before);
  });

  it('writes numbers as the reader does', async () => {
    const { page } = await visit(stage, panel, VIEWER, { locale: 'de-DE' });
    await panel.store.recordImpressions('news', Array(700).fill(tea), Date.now() - 20 * 86_400_000);
    await page.goto(`${panel.url}/panel/news`);
    expect(await page.locator('[data-live="total-impressions"]').textContent()).toMatch(/^\d\.\d{3}$/);
  });
});
