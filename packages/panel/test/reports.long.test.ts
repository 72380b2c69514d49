import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { type PanelServer, startPanel } from './panel-server.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DAY = 86_400_000;
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkmPj/PwAEuwJ5l0wMVAAAAABJRU5ErkJggg==';
const FORMATS = ['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE'] as const;
const ADS = FORMATS.map((format, index) => ({
  ...{ id: `3f2504e0-4f89-41d3-9a0c-0305e82c330${index}`, format, campaignId: 'spring' },
  ...{ title: `Green tea, ${format.toLowerCase()}`, content: 'Leaves and time, from a garden above the river.' },
  ...{ linkUrl: 'https://tea.example/', linkText: 'Drink a cup', ...(index % 2 && { imageUrl: PIXEL }) },
}));

const SUMMER = {
  ...{ id: '3f2504e0-4f89-41d3-9a0c-0305e82c3309', format: 'SIDEBAR' as const, campaignId: 'summer' },
  ...{ title: 'Iced tea', imageUrl: PIXEL },
};

describeInChromium('the page of a report', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    const now = Date.now();
    const start = now - 44 * DAY;
    const spring = {
      ...{ id: 'spring', sponsor: 'Leaves & Co', name: 'Spring in the garden', goal: { impressions: 20_000 } },
      ...{ startsAt: new Date(start).toISOString(), endsAt: new Date(now + 20 * DAY).toISOString() },
    };
    const today = { id: 'today', sponsor: 'Leaves & Co', name: 'Today' };
    const summer = { id: 'summer', sponsor: 'Leaves & Co', name: 'Summer' };
    await panel.store.importBlogs(
      [{ id: 'news', name: 'The News', campaigns: [spring, summer, today], ads: [...ADS, SUMMER] }],
      start,
    );
    const campaigns = new Map(ADS.map(({ id }) => [id, 'spring']));
    for (let day = 0; day < 45; day += 1) {
      for (const { id } of ADS) {
        // A delivery contains each ad once.
        const delivery = { slots: [{ candidates: [id] }], campaigns };
        const deliveries = Array.from({ length: 10 + ((day * 37) % 50) }, () =>
          panel.store.deliver('news', delivery, start + day * DAY),
        );
        await Promise.all(deliveries);
      }
      await panel.store.deliver(
        'news',
        { slots: [{ candidates: [ADS[0]?.id ?? ''] }], campaigns, traffic: 'bot' },
        start + day * DAY,
      );
    }
    const delivery = { slots: [{ candidates: [SUMMER.id] }], campaigns: new Map([[SUMMER.id, 'summer']]) };
    for (let day = 0; day < 92; day += 1) await panel.store.deliver('news', delivery, now - day * DAY);
    await panel.store.deliver('news', { ...delivery, campaigns: new Map([[SUMMER.id, 'today']]) }, now);
    const viewable = Array.from({ length: 3000 }, (_, index) => ({
      ...{ tokenId: `${index}`, tokenExpiresAt: now, adId: ADS[index % 5]?.id ?? '' },
      campaignId: 'spring',
      day: new Date(now - (index % 40) * DAY).toISOString().slice(0, 10),
    }));
    await panel.store.recordViewable('news', viewable);
    const link = { expiresAt: null, showsPace: true };
    await panel.store.addReportLink({ blog: 'news', campaign: 'spring' }, TOKEN, now, link);
    await panel.store.addReportLink({ blog: 'news', campaign: 'summer' }, SUMMER_TOKEN, now, link);
    await panel.store.addReportLink({ blog: 'news', campaign: 'today' }, TODAY_TOKEN, now, link);
    await panel.store.setPublisher('news', { logoUrl: PIXEL, contact: 'ads@news.example' });
  });
  afterAll(() => panel?.close());

  const [TOKEN = '', SUMMER_TOKEN = '', TODAY_TOKEN = ''] = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
  const open = async (options: Parameters<typeof stage.newPage>[0], token = TOKEN) => {
    const page = await stage.newPage({ javaScriptEnabled: false, ...options });
    const complaints = recordConsole(page);
    await page.goto(`${panel.url}/report/${token}`);
    return { page, complaints };
  };
  const faults = async (page: Page) => {
    await page.evaluate(AXE);
    return page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const found = (await axe.run(document)).violations;
      const overflow = document.documentElement.scrollWidth - innerWidth;
      const names = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
      return overflow > 0 ? [...names, `${overflow} px too wide`] : names;
    });
  };

  it.each([
    ['on a desktop', 1280, 'light'],
    ['on a desktop', 1280, 'dark'],
    ['on a phone', 390, 'light'],
    ['on a phone', 390, 'dark'],
    ['on the smallest screen', 320, 'light'],
  ] as const)('passes axe and fits the screen %s of %d px, %s', async (_, width, colorScheme) => {
    const { page, complaints } = await open({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: true });
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows each ad with its picture and its text, and adds up to the total', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    const rows = page.locator('#by-ad + section tbody tr');
    expect(await rows.count()).toBe(ADS.length);
    for (const { title, content, imageUrl } of ADS) {
      const row = rows.filter({ hasText: title });
      expect(await row.textContent()).toContain(content);
      expect(await row.locator('img').count()).toBe(imageUrl ? 1 : 0);
    }
    const columns = await page
      .locator('#by-ad + section tr')
      .evaluateAll((all) =>
        all
          .slice(1)
          .map((row) => [1, 2, 4].map((cell) => Number(row.children[cell]?.textContent?.replaceAll(',', '')))),
      );
    const total = columns.pop();
    expect(total).toEqual([0, 1, 2].map((cell) => columns.reduce((sum, row) => sum + (row[cell] ?? 0), 0)));
  });

  it('the table by day is open for a few days and closed for many, on screen and in print', async () => {
    const header = (page: Page) => page.locator('#by-day ~ details thead').isVisible();
    for (const [token, isOpen] of [
      [TODAY_TOKEN, true],
      [TOKEN, false],
    ] as const) {
      const { page } = await open({ viewport: { width: 1280, height: 900 } }, token);
      expect(await header(page)).toBe(isOpen);
      await page.emulateMedia({ media: 'print' });
      expect(await header(page)).toBe(isOpen);
      expect(await page.locator('#by-day ~ .chart svg').first().isVisible()).toBe(true);
    }
  });

  it('tables can be sorted, and the file downloaded, with the keyboard', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    const sort = page.locator('#by-ad + section').getByRole('link', { name: 'Clicks' });
    await sort.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=clicks/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).press('Enter'),
    ]);
    expect(file.suggestedFilename()).toBe('Leaves-Co-Spring-in-the-garden.csv');
  });

  it.each(['A4', 'Letter'])('prints 1, 45 and 92 days on one sheet of %s', async (format) => {
    for (const token of [TODAY_TOKEN, TOKEN, SUMMER_TOKEN]) {
      const { page } = await open({ colorScheme: 'dark' }, token);
      const pdf = await page.pdf({ format, printBackground: true });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      await page.close();
    }
  });
});
