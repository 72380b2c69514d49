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
    const summer = { id: 'summer', sponsor: 'Leaves & Co', name: 'Summer' };
    await panel.store.importBlogs(
      [{ id: 'news', name: 'The News', campaigns: [spring, summer], ads: [...ADS, SUMMER] }],
      start,
    );
    const campaigns = new Map(ADS.map(({ id }) => [id, 'spring']));
    for (let day = 0; day < 45; day += 1) {
      for (const { id } of ADS) {
        const slots = Array(10 + ((day * 37) % 50)).fill({ candidates: [id] });
        for (const slot of slots) await panel.store.deliver('news', { slots: [slot], campaigns }, start + day * DAY);
      }
      await panel.store.deliver(
        'news',
        { slots: [{ candidates: [ADS[0]?.id ?? ''] }], campaigns, traffic: 'bot' },
        start + day * DAY,
      );
    }
    const delivery = { slots: [{ candidates: [SUMMER.id] }], campaigns: new Map([[SUMMER.id, 'summer']]) };
    for (let day = 0; day < 92; day += 1) await panel.store.deliver('news', delivery, now - day * DAY);
    const viewable = Array.from({ length: 3000 }, (_, index) => ({
      ...{ tokenId: `${index}`, tokenExpiresAt: now, adId: ADS[index % 5]?.id ?? '' },
      campaignId: 'spring',
      day: new Date(now - (index % 40) * DAY).toISOString().slice(0, 10),
    }));
    await panel.store.recordViewable('news', viewable);
    await panel.store.addReportLink({ blog: 'news', campaign: 'spring' }, TOKEN, now, null);
    await panel.store.addReportLink({ blog: 'news', campaign: 'summer' }, SUMMER_TOKEN, now, null);
  });
  afterAll(() => panel?.close());

  const [TOKEN, SUMMER_TOKEN] = ['a'.repeat(43), 'b'.repeat(43)];
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

  it('draws each ad without scripts, inside its box', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    for (const { format, title } of ADS) {
      const slot = page.locator(`broadsheet-slot[format="${format}"]`);
      expect(await slot.locator('.title').textContent()).toBe(title);
      const [box, card] = [await slot.boundingBox(), await slot.locator('.ad').boundingBox()];
      expect(card?.height).toBeGreaterThan(60);
      expect(card?.width).toBeGreaterThan(200);
      expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + 1);
    }
  });

  it('the keyboard reaches the ads, the order of the tables and the file', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    const sort = page.locator('#by-ad + section').getByRole('link', { name: 'Clicks' });
    await sort.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=clicks/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).press('Enter'),
    ]);
    expect(file.suggestedFilename()).toBe('Leaves _ Co Spring in the garden.csv');
  });

  it.each(['A4', 'Letter'])('prints 45 and 92 days on one sheet of %s', async (format) => {
    for (const token of [TOKEN, SUMMER_TOKEN]) {
      const { page } = await open({ colorScheme: 'dark' }, token);
      const pdf = await page.pdf({ format, printBackground: true });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      await page.close();
    }
  });
});
