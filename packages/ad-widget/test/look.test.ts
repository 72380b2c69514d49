import type { BrowserContextOptions, Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { openPopup } from './site/open-popup.ts';
import { useSites } from './site/sites.ts';

const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];

describeInChromium('how an ad looks', (stage) => {
  const sites = useSites();
  let page: Page;

  beforeAll(async () => {
    sites.api.answer = ({ slotId }) => ({
      imageUrl: `${sites.publisher.url}/ad.png`,
      ...(slotId.includes('arabic') && { title: 'عنوان الإعلان', content: 'نص الإعلان', linkText: 'اقرأ' }),
      ...(slotId.includes('long') && { title: 'Incomprehensibilities'.repeat(20), linkText: 'See '.repeat(90) }),
    });
  });

  const open = async (body: string, options: BrowserContextOptions = {}): Promise<void> => {
    sites.page.html = `${sites.head()}<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><body>${body}`;
    page = await stage.newPage(options);
    await page.goto(sites.publisher.url);
  };
  const filled = async (...[body, options]: Parameters<typeof open>): Promise<void> => {
    await open(body, options);
    await page.locator('broadsheet-slot a').first().waitFor();
  };
  const popup = async (options: BrowserContextOptions): Promise<void> => {
    await open('<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>', options);
    await openPopup(page);
  };
  const box = async (selector: string) => {
    const found = await page.locator(selector).boundingBox();
    if (!found) throw new Error(`${selector} has no box`);
    return found;
  };
  const styleOf = (selector: string, property: string): Promise<string> =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

  test.each([
    ['light', 'rgb(255, 255, 255)', 'rgb(34, 34, 34)'],
    ['dark', 'rgb(34, 34, 34)', 'rgb(238, 238, 238)'],
  ] as const)('follows the colour scheme of the page: %s', async (colorScheme, paper, ink) => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>', { colorScheme });
    expect(await styleOf('.ad', 'background-color')).toBe(paper);
    expect(await styleOf('.title', 'color')).toBe(ink);
  });

  test.each([
    ['reduce', 'none'],
    ['no-preference', 'rise'],
  ] as const)('a popup moves only for readers who do not mind: %s', async (reducedMotion, animation) => {
    await popup({ reducedMotion });
    expect(await styleOf('.ad', 'animation-name')).toBe(animation);
  });

  test('in a page from right to left everything is mirrored', async () => {
    await filled('<div dir="rtl" lang="ar"><broadsheet-slot name="arabic" format="BANNER"></broadsheet-slot></div>');
    const [image, text, label, card] = await Promise.all(['.image', '.text', '.label', '.ad'].map(box));
    expect(image?.x).toBeGreaterThan(text?.x ?? Number.POSITIVE_INFINITY);
    expect(label?.x).toBeLessThan((card?.x ?? 0) + 20);
  });

  test('words find their own direction in a page of the other one', async () => {
    await filled('<broadsheet-slot name="arabic" format="BANNER"></broadsheet-slot>');
    const gaps = await page.locator('.title').evaluate((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      const [words, line] = [range.getBoundingClientRect(), title.getBoundingClientRect()];
      return { left: words.left - line.left, right: line.right - words.right };
    });
    expect(gaps.right).toBeLessThan(1);
    expect(gaps.left).toBeGreaterThan(50);
  });

  test('the picture of a popup is as high as the card, whatever its own shape', async () => {
    await popup({ viewport: { width: 1000, height: 800 } });
    const [image, link, card] = await Promise.all(['.image', '.link', '.ad'].map(box));
    expect(image?.height).toBe(link?.height);
    // Better Ads: no more than 30 % of the window.
    expect(card?.height).toBeLessThanOrEqual(240);
  });

  test.each([320, 390, 1280])('no format is wider than a window of %i, nor grows with its words', async (width) => {
    const slots = FORMATS.map(
      (format) => `<broadsheet-slot name="long-${format}" format="${format}"></broadsheet-slot>`,
    );
    await filled(slots.join(''), { viewport: { width, height: 1600 } });
    await expect.poll(() => page.locator('broadsheet-slot .ad').count()).toBe(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const format of FORMATS) {
      const [host, card, action] = await Promise.all(
        ['', ' .ad', ' .action'].map((part) => box(`[format=${format}]${part}`)),
      );
      expect(card?.height).toBe(host?.height);
      expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThanOrEqual((host?.y ?? 0) + (host?.height ?? 0));
    }
  });

  test.each([
    [390, 2],
    [1280, 1],
  ])('in a window of %i a banner has room for %i lines of words', async (width, lines) => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>', { viewport: { width, height: 400 } });
    const [title, content] = await Promise.all(['.title', '.content'].map(box));
    expect((content?.height ?? 0) / (title?.height ?? 0)).toBeCloseTo(lines, 1);
  });

  test('the keyboard reaches the link, and shows where it is', async () => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe('link');
    expect(await styleOf('.link', 'outline-style')).toBe('solid');
  });
});
