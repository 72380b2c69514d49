import type { BrowserContextOptions, Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { openPopup } from './site/open-popup.ts';
import { useSites } from './site/sites.ts';

const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];

describeInChromium('the look of an ad', (stage) => {
  const sites = useSites();
  let page: Page;

  beforeEach(() => {
    sites.api.answer = ({ slotId }) => ({
      imageUrl: slotId.includes('plain') ? null : `${sites.publisher.url}/ad.png`,
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
    ['light', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
    ['dark', 'rgb(18, 18, 18)', 'rgb(255, 255, 255)'],
  ] as const)('an ad follows the colour scheme of the page: %s', async (colorScheme, paper, ink) => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>', { colorScheme });
    expect(await styleOf('.ad', 'background-color')).toBe(paper);
    expect(await styleOf('.title', 'color')).toBe(ink);
  });

  test.each([
    ['reduce', 'none'],
    ['no-preference', 'rise'],
  ] as const)('the animation of a popup follows prefers-reduced-motion: %s', async (reducedMotion, animation) => {
    await popup({ reducedMotion });
    expect(await styleOf('.ad', 'animation-name')).toBe(animation);
  });

  test('an ad is mirrored in a right-to-left page', async () => {
    await filled('<div dir="rtl" lang="ar"><broadsheet-slot name="arabic" format="BANNER"></broadsheet-slot></div>');
    const [image, text] = await Promise.all(['.image', '.text'].map(box));
    expect(image?.x).toBeGreaterThan(text?.x ?? Number.POSITIVE_INFINITY);
  });

  test('right-to-left text is aligned to the right in a left-to-right page', async () => {
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

  test('the picture of a popup is as high as the card, regardless of its own shape', async () => {
    await popup({ viewport: { width: 1000, height: 800 } });
    const [image, link, card] = await Promise.all(['.image', '.link', '.ad'].map(box));
    expect(image?.height).toBe(link?.height);
    // Better Ads: no more than 30 % of the window.
    expect(card?.height).toBeLessThanOrEqual(240);
  });

  test.each([320, 390, 1280])('no format is wider than a window of %i px or grows with its text', async (width) => {
    const names = FORMATS.flatMap((format) => [`long-${format}`, `long-plain-${format}`]);
    const slots = names.map(
      (name) => `<broadsheet-slot name="${name}" format="${name.split('-').at(-1)}"></broadsheet-slot>`,
    );
    await filled(slots.join(''), { viewport: { width, height: 2400 } });
    await expect.poll(() => page.locator('broadsheet-slot .ad').count()).toBe(names.length);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const name of names) {
      const [host, card, action] = await Promise.all(
        ['', ' .ad', ' .action'].map((part) => box(`[name=${name}]${part}`)),
      );
      expect(card?.height).toBe(host?.height);
      expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThanOrEqual((host?.y ?? 0) + (host?.height ?? 0));
    }
  });

  test.each([320, 736, 1280])('text without an image fills a tall slot in a window of %i px', async (width) => {
    sites.api.answer = () => ({
      imageUrl: null,
      title: 'Comfortable walking shoes',
      content:
        'Made for long days: light, waterproof, and repaired for free for as long as you wear them. Find your size.',
    });
    const both = ['NATIVE', 'SIDEBAR'].map((format) => `<broadsheet-slot format="${format}"></broadsheet-slot>`);
    await filled(both.join(''), { viewport: { width, height: 900 } });
    await expect.poll(() => page.locator('.ad').count()).toBe(2);
    for (const format of ['NATIVE', 'SIDEBAR']) {
      const card = await box(`[format=${format}] .ad`);
      const first = await box(`[format=${format}] .title`);
      const last = await box(`[format=${format}] .action`);
      const middle = (first.y + last.y + last.height) / 2 - card.y;
      expect(Math.abs(middle / card.height - 0.5)).toBeLessThan(0.1);
      expect((last.y + last.height - first.y) / card.height).toBeGreaterThan(0.5);
    }
  });

  test.each([
    [300, 600],
    [728, 90],
    [600, 400],
  ])('a picture of %i x %i is shown whole in every format, without a box around it', async (wide, high) => {
    const picture = (words: object) => () => ({ imageUrl: `${sites.publisher.url}/${wide}x${high}.svg.png`, ...words });
    sites.api.answer = picture({ title: ' ', content: null, linkText: null });
    const slots = FORMATS.map((format) => `<broadsheet-slot format="${format}"></broadsheet-slot>`).join('');
    await open(slots, { viewport: { width: 736, height: 1600 } });
    const size = { width: wide, height: high };
    await page.route('**/*.svg.png', async (route) => {
      const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"/>`;
      await route.fulfill({ contentType: 'image/svg+xml', body });
    });
    await page.reload();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('broadsheet-slot')].every(
        (slot) => slot.shadowRoot?.querySelector('img')?.complete,
      ),
    );
    for (const format of FORMATS) {
      const { width, height } = await box(`[format=${format}] .image`);
      expect(width / height).toBeCloseTo(wide / high, 0);
      expect(await styleOf(`[format=${format}] .ad`, 'border-top-width')).toBe('0px');
    }
  });

  test('a photo in a wide NATIVE is not cut to a strip', async () => {
    await filled('<broadsheet-slot format="NATIVE"></broadsheet-slot>', { viewport: { width: 1280, height: 900 } });
    const { width, height } = await box('.image');
    expect(width / height).toBeLessThan(2);
  });

  test("an image without text is named after its link's host, and the link's title says that it opens in a new tab", async () => {
    sites.api.answer = () => ({ imageUrl: `${sites.publisher.url}/ad.png`, title: ' ', content: '', linkText: null });
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>');
    const link = page.getByRole('link', { name: new URL(sites.advertiser.url).host });
    expect(await link.getAttribute('title')).toBe('Opens in a new tab');
  });

  test("the label is neutral, or the publisher's, in a language without a translation", async () => {
    await filled(
      '<div lang="ar" dir="rtl"><broadsheet-slot format="BANNER"></broadsheet-slot><broadsheet-slot format="INLINE" label="Iklan"></broadsheet-slot></div>',
    );
    await expect.poll(() => page.locator('.label').allTextContents()).toEqual(['Ad', 'Iklan']);
  });

  test('the close button of a popup covers neither its title nor the focus ring of its link', async () => {
    await popup({ viewport: { width: 320, height: 800 } });
    const close = await box('.close');
    const title = await box('.title');
    const card = await box('.ad');
    expect(title.y).toBeGreaterThanOrEqual(close.y + close.height);
    expect(close.y - card.y).toBeGreaterThanOrEqual(4);
    expect(card.x + card.width - close.x - close.width).toBeGreaterThanOrEqual(4);
  });

  test('a dialog fits a window of 320 px, and Enter closes it', async () => {
    await open('<broadsheet-slot name="p" format="POPUP" dialog></broadsheet-slot>', {
      viewport: { width: 320, height: 640 },
    });
    // A key that does not move the focus.
    const shift = () => page.keyboard.press('Shift').then(() => page.locator('dialog').count());
    await expect.poll(shift, { interval: 1500, timeout: 20_000 }).toBe(1);
    const around = await box('dialog');
    const card = await box('.ad');
    expect(card.x + card.width).toBeLessThanOrEqual(around.x + around.width);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    expect(page.context().pages()).toHaveLength(1);
  });

  test('the page does not show through a popup that is only an image', async () => {
    sites.api.answer = () => ({ imageUrl: `${sites.publisher.url}/ad.png`, title: ' ', content: '', linkText: null });
    await popup({ colorScheme: 'dark' });
    for (const part of ['.ad', '.close']) {
      expect(await styleOf(part, 'background-color')).toBe('rgb(18, 18, 18)');
    }
  });

  test('the keyboard reaches the link, which then has a focus ring', async () => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe('link');
    expect(await styleOf('.link', 'outline-style')).not.toBe('none');
  });
});
