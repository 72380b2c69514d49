import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';
import { visit } from './visitor.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [tea] = NEWS.ads.map(({ id }) => id);
const PAGES = [
  '/panel/news',
  '/panel/news?period=yesterday&metric=ctr',
  `/panel/news?ad=${tea}`,
  '/panel/news?placement=top&by=fill&sort=-title',
  '/panel/news/ads',
  '/panel/news/ads?q=nothing+like+it',
  '/panel/news?campaign=spring',
  '/panel/news/campaigns',
  '/panel/news/hooks',
  '/panel/news/campaigns.add',
  '/panel/news/campaigns/spring',
  '/panel/news/ads.add',
  `/panel/news/ads/${tea}`,
  '/panel/news/posts',
  '/panel/news/posts/p1',
  '/panel/news/posts/p2',
  '/panel/news/embed',
  '/panel/news/embed?slot=BANNER&slot=NATIVE&pin=yes',
  '/panel/news/keys',
  '/panel/news/bin',
  '/panel/news/import',
  '/panel/news/settings?done=saved',
  '/panel/empty',
  '/panel/empty/ads',
  '/panel/empty/campaigns',
  '/panel/empty/posts',
  '/panel/blogs',
  '/panel/people',
  '/panel/log',
  '/panel/nowhere',
  '/panel/sign-in?token=link-for-axe',
];

describeInChromium('pages of the panel', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs(
      [
        { ...NEWS, posts: [...NEWS.posts, { id: 'gone', title: 'Gone for now', slug: 'gone' }] },
        { id: 'empty', name: 'Empty' },
      ],
      Date.now(),
    );
    const now = Date.now();
    await panel.store.deliver(
      'news',
      { slots: Array(300).fill({ candidates: [tea], placement: 'top' }) },
      now - 86_400_000,
    );
    await panel.store.invitePerson({ name: 'Axel', role: 'view', blogId: null }, 'link-for-axe', now);
    const hook = { id: 'hook', url: 'https://news.example/hook', types: ['post.removed' as const], secret: 'whsec_x' };
    await panel.store.addHook('news', hook, now);
    await panel.store.deletePost('news', 'gone', now);
    await panel.store.writeLog({ at: new Date(now).toISOString(), who: 'Ada', blogId: 'news', what: 'did something' });
  });
  afterAll(() => panel?.close());

  describe('a page passes axe, fits the screen and complies with its policy', () => {
    let page: Page;
    let complaints: string[];
    beforeAll(async () => {
      const context = await stage.browser.newContext();
      await context.addCookies([
        { name: 'broadsheet-panel', value: await panel.session(MANAGER), url: `${panel.url}/panel` },
      ]);
      page = await context.newPage();
      complaints = recordConsole(page);
    });
    afterAll(() => page?.context().close());

    /** Violations that axe finds on the page in its current state, and its overflow. */
    const faults = async (rules?: readonly string[]) => {
      const violations = await page.evaluate(async (only) => {
        const { axe } = globalThis as unknown as { axe: typeof Axe };
        const options = { resultTypes: ['violations' as const], selectors: false, ...(only && { runOnly: [...only] }) };
        const found = (await axe.run(document, { iframes: false, ...options })).violations;
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
      }, rules);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      return overflow > 0 ? [...violations, `${overflow} px too wide`] : violations;
    };
    /** The buttons in tables and the tabs that are cut off, so that a person must scroll to find them. */
    const cutOff = () =>
      page.evaluate(() => {
        const buttons = [...document.querySelectorAll('.scroll .button')];
        const tabs = document.querySelector('.sections ul');
        return [
          ...buttons.filter((button) => button.getBoundingClientRect().right > innerWidth),
          ...(tabs && tabs.scrollWidth > tabs.clientWidth ? [tabs] : []),
        ].map((one) => one.textContent);
      });

    it.each(PAGES)('%s', async (path) => {
      complaints.length = 0;
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(panel.url + path);
      await page.evaluate(AXE);
      expect(await faults(), 'in the light theme').toEqual([]);
      await page.evaluate(() => document.querySelector<HTMLElement>('[popover]')?.showPopover());
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faults(['color-contrast']), 'in the dark theme').toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await faults(), 'on a phone').toEqual([]);
      expect(await cutOff(), 'on a phone').toEqual([]);
      // A desktop window of 1280 px at 400 % zoom; see https://www.w3.org/WAI/WCAG22/Understanding/reflow.html
      await page.setViewportSize({ width: 320, height: 844 });
      expect(await faults(['target-size']), 'on the smallest screen').toEqual([]);
      expect(complaints.filter((text) => !/404/.test(text))).toEqual([]);
    });
  });

  it('shows the value under the pointer, and updates numbers and lines while ads are delivered', async () => {
    // A blog of its own for each attempt.
    const [blog, ad] = [randomUUID(), randomUUID()];
    await panel.store.importBlogs([{ id: blog, name: 'Figures', ads: [{ id: ad, format: 'BANNER' }] }], Date.now());
    const deliver = (slots: readonly { candidates: string[]; placement?: string }[], at = Date.now()) =>
      panel.store.deliver(blog, { slots }, at);
    await deliver(Array(300).fill({ candidates: [ad], placement: 'top' }), Date.now() - 86_400_000);
    const { page } = await visit(stage, panel, { ...VIEWER, blogId: blog });
    await page.goto(`${panel.url}/panel/${blog}?period=7`);
    const day = page.locator('.chart-wide .day').nth(5);
    expect(await day.locator('text').isVisible()).toBe(false);
    await day.locator('rect').hover();
    expect(await day.locator('text').isVisible()).toBe(true);
    expect(await day.locator('text').textContent()).toMatch(/: 300 Valid impressions, previously 0$/);
    const line = () => page.locator('.chart-wide path.now').getAttribute('d');
    const before = await line();
    await deliver(Array(1234).fill({ candidates: [ad] }));
    await expect.poll(() => page.locator('[data-live="total-impressions"]').textContent()).toBe('1,534');
    await expect.poll(() => page.locator(`[data-live="ad-${ad}-impressions"]`).textContent()).toBe('1,534');
    await deliver([
      { candidates: [ad], placement: 'top' },
      { candidates: [], placement: 'top' },
    ]);
    await expect.poll(() => page.locator('[data-live="placement-top-requests"]').textContent()).toBe('302');
    expect(await page.locator('[data-live="placement-top-fill"]').textContent()).toBe('99.67%');
    expect(await line()).not.toBe(before);
  });

  it('formats numbers in the language of the reader', async () => {
    const { page } = await visit(stage, panel, VIEWER, { locale: 'de-DE' });
    await panel.store.deliver('news', { slots: Array(700).fill({ candidates: [tea] }) }, Date.now() - 20 * 86_400_000);
    await page.goto(`${panel.url}/panel/news`);
    expect(await page.locator('[data-live="total-impressions"]').textContent()).toMatch(/^\d\.\d{3}$/);
  });
});
