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
    sites.api.respond = ({ slotId }) => ({
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
    ['light', 'rgb(0, 0, 0)'],
    ['dark', 'rgb(255, 255, 255)'],
  ] as const)('an ad follows the colour scheme of the page: %s', async (colorScheme, ink) => {
    await filled('<broadsheet-slot format="BANNER"></broadsheet-slot>', { colorScheme });
    for (const part of ['.title', '.content', '.action', '.label']) expect(await styleOf(part, 'color')).toBe(ink);
  });

  test('an ad has the colors of the text around it: the border 15 % of it, the background 4 %', async () => {
    await filled(
      '<div style="background: #123; color: #369"><broadsheet-slot format="BANNER"></broadsheet-slot></div>',
    );
    for (const part of ['.title', '.action', '.label']) expect(await styleOf(part, 'color')).toBe('rgb(51, 102, 153)');
    expect(await styleOf('.ad', 'border-top-color')).toBe('color(srgb 0.2 0.4 0.6 / 0.15)');
    expect(await styleOf('.ad', 'background-color')).toBe('color(srgb 0.2 0.4 0.6 / 0.04)');
  });

  test.each([
    ['a page with 19px text', 'body { font-size: 19px }', 19],
    ['a theme in which 1rem is 10px', 'html { font-size: 62.5% } body { font-size: 1.6rem }', 16],
    ['a theme in which 1rem is 10px, and its text, too', 'html { font-size: 62.5% }', 15],
    ['a page with 11px text', 'body { font-size: 11px }', 15],
    ['a reader with large text', 'html { font-size: 32px }', 32],
    ['a heading', 'body { font-size: 48px }', 20],
  ])('the font size of an ad is relative to the text around it, and at least 14px: %s', async (_, style, title) => {
    const slots = [...FORMATS, 'POPUP'].map(
      (format) => `<broadsheet-slot format="${format}" every="0"></broadsheet-slot>`,
    );
    await open(`<style>${style}</style>${slots.join('')}`, { viewport: { width: 1000, height: 4000 } });
    await openPopup(page);
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll('broadsheet-slot')].map(({ shadowRoot }) =>
        ['title', 'content', 'action', 'label'].map((part) => {
          const element = shadowRoot?.querySelector(`.${part}`);
          return element ? Number.parseFloat(getComputedStyle(element).fontSize) : 0;
        }),
      ),
    );
    const text = Math.max(14, 0.9 * title);
    for (const [headline = 0, ...rest] of sizes) {
      expect([title, 1.25 * title]).toContain(headline);
      for (const size of rest) expect(size).toBeCloseTo(text, 1);
    }
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

  test.each([
    [390, 700],
    [320, 568],
    [1000, 800],
    [667, 375],
  ])(
    'a popup in a window of %i x %i px has equal margins and takes at most 30 % of its height',
    async (width, height) => {
      await popup({ viewport: { width, height } });
      const [card, close, label] = await Promise.all(['.ad', '.close', '.label'].map(box));
      if (!card || !close || !label) throw new Error('no popup');
      const right = width - card.x - card.width;
      expect([right, height - card.y - card.height]).toEqual([16, 16]);
      // As wide as its text allows; on a phone, as wide as the window.
      if (width < 400) expect(card.x).toBe(right);
      // Better Ads: no more than 30 % of the window.
      expect(card.height).toBeLessThanOrEqual(0.3 * height);
      expect([close.width, close.height]).toEqual([44, 44]);
      expect(label.y + label.height).toBeLessThanOrEqual(card.y + card.height);
      expect(label.x + label.width <= close.x || label.y >= close.y + close.height).toBe(true);
    },
  );

  test('a popup has the background of the page, whose color its text has', async () => {
    await open(
      '<div style="background: #0d1321; color: #dbe4f3"><p>Words</p><broadsheet-slot format="POPUP" every="0"></broadsheet-slot></div>',
    );
    await openPopup(page);
    expect(await styleOf('.ad', 'background-color')).toBe('rgb(13, 19, 33)');
    expect(await styleOf('.title', 'color')).toBe('rgb(219, 228, 243)');
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
      const [host, card, label] = await Promise.all(
        ['', ' .ad', ' .label'].map((part) => box(`[name=${name}]${part}`)),
      );
      expect(card?.height).toBeLessThanOrEqual(host?.height ?? 0);
      expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual((card?.y ?? 0) + (card?.height ?? 0));
    }
  });

  test.each([320, 736, 1280])(
    'text without an image has the INLINE layout in NATIVE, in a window of %i px',
    async (width) => {
      sites.api.respond = () => ({
        imageUrl: null,
        title: 'Comfortable walking shoes',
        content: 'Made for long days.',
      });
      const both = ['NATIVE', 'INLINE'].map((format) => `<broadsheet-slot format="${format}"></broadsheet-slot>`);
      await filled(both.join(''), { viewport: { width, height: 900 } });
      await expect.poll(() => page.locator('.ad').count()).toBe(2);
      const [native, inline] = await Promise.all(
        ['NATIVE', 'INLINE'].map(async (format) => {
          const card = await box(`[format=${format}] .ad`);
          const parts = await Promise.all(
            ['title', 'content', 'action', 'label'].map((part) => box(`[format=${format}] .${part}`)),
          );
          return [card, ...parts].map(({ x, y, width, height }) => [x, y - card.y, width, height]);
        }),
      );
      expect(native).toEqual(inline);
    },
  );

  test('out of view, the box of a slot takes the height of its ad, and nothing in view moves', async () => {
    sites.api.respond = ({ slotId }) => ({
      imageUrl: slotId === 'seen' ? `${sites.publisher.url}/ad.png` : null,
      content: 'Few words',
    });
    const slot = (name: string, format: string) =>
      `<broadsheet-slot name="${name}" format="${format}"></broadsheet-slot>`;
    const text = '<p style="height: 430px">Words</p>';
    await filled(`${slot('top', 'NATIVE')}${text}${slot('below', 'NATIVE')}${text}${slot('side', 'SIDEBAR')}${text}`, {
      viewport: { width: 1000, height: 800 },
    });
    await page.evaluate(() => {
      Object.assign(window, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          (window as unknown as { moved: number }).moved += 'value' in entry ? Number(entry.value) : 0;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const heights = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('broadsheet-slot')].map((slot) =>
          Math.round(slot.getBoundingClientRect().height),
        ),
      );
    // The first is in view and keeps its box, the second is filled below the window.
    await expect.poll(async () => (await heights())[1]).toBeLessThan(110);
    expect((await heights())[0]).toBe(320);
    for (const top of [300, 600, 1200, 2000, 1000, 0]) {
      await page.mouse.wheel(0, top - (await page.evaluate(() => scrollY)));
      await page.waitForTimeout(400);
    }
    for (const height of await heights()) expect(height).toBeLessThan(110);
    expect(await page.evaluate(() => (window as unknown as { moved: number }).moved)).toBe(0);
  });

  const KINDS: Readonly<Record<string, object>> = {
    'words alone': { imageUrl: null },
    'words and an image': {},
    'an image alone': { title: null, content: null, linkText: null },
    'words and a broken image': { imageUrl: '/broken.png' },
    'a broken image alone': { title: null, content: null, linkText: null, imageUrl: '/broken.png' },
  };

  test.each(Object.keys(KINDS))(
    'nothing moves because the image of an ad arrives late, in view or below it, and no box grows: %s',
    async (kind) => {
      const { imageUrl = '/late.png', ...words } = KINDS[kind] as { imageUrl?: string | null };
      sites.api.respond = () => ({ ...words, imageUrl: imageUrl && sites.publisher.url + imageUrl });
      const slots = FORMATS.map((format) => `<broadsheet-slot name="${format}" format="${format}"></broadsheet-slot>`);
      await open(slots.map((slot) => `${slot}<p style="height: 150px">Words</p>`).join(''), {
        viewport: { width: 736, height: 800 },
      });
      let arrive = () => {};
      const late = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await page.route('**/*.png', async (route) => {
        await late;
        const body = '<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="1600"/>';
        if (route.request().url().includes('broken')) await route.fulfill({ status: 404 });
        else await route.fulfill({ contentType: 'image/svg+xml', body });
      });
      await page.addInitScript(() => {
        Object.assign(window, { moved: [] });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            (window as unknown as { moved: unknown[] }).moved.push('value' in entry && entry.value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // The page has loaded only when its images have.
      await page.reload({ waitUntil: 'domcontentloaded' });
      const heights = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('broadsheet-slot')].map((slot) => slot.getBoundingClientRect().height),
        );
      // The style sheet of the page has loaded.
      const reserved = [128, 320, 128, 320];
      await expect.poll(heights).toEqual(reserved);
      await page.evaluate(() => Object.assign(window, { moved: [] }));
      // Each slot is filled below the window, and the reader scrolls to it before its image has arrived.
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 100);
          return page.locator('.ad').count();
        })
        .toBe(FORMATS.length);
      await page.mouse.wheel(0, 300);
      await page.waitForTimeout(500);
      arrive();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('broadsheet-slot')].every(
          (slot) => slot.shadowRoot?.querySelector('img')?.complete ?? true,
        ),
      );
      await page.mouse.wheel(0, 300);
      await page.waitForTimeout(500);
      for (const [index, height] of (await heights()).entries()) {
        expect(height, FORMATS[index]).toBeLessThanOrEqual(reserved[index] ?? 0);
      }
      expect(await page.evaluate(() => (window as unknown as { moved: unknown[] }).moved)).toEqual([]);
    },
  );

  test('cards of text are at most 728px wide', async () => {
    sites.api.respond = ({ slotId }) => ({ imageUrl: slotId === 'plain' ? null : `${sites.publisher.url}/ad.png` });
    const slots = ['plain', 'image'].map(
      (name) => `<broadsheet-slot name="${name}" format="BANNER"></broadsheet-slot>`,
    );
    await filled(slots.join(''), { viewport: { width: 1280, height: 900 } });
    await expect.poll(() => page.locator('.ad').count()).toBe(2);
    for (const name of ['plain', 'image']) {
      const card = await box(`[name=${name}] .ad`);
      expect([card.width, card.x]).toEqual([728, (1280 - 728) / 2]);
    }
  });

  test.each([
    ['BANNER', 300, 600, true],
    ['BANNER', 500, 160, true],
    ['BANNER', 600, 400, false],
    ['BANNER', 640, 360, false],
    ['SIDEBAR', 400, 400, true],
    ['SIDEBAR', 600, 400, false],
    ['NATIVE', 600, 300, false],
    ['NATIVE', 728, 90, true],
  ])(
    'an image that would lose more than a quarter to a crop is shown whole on a light plate: %s %i x %i',
    async (format, wide, high, whole) => {
      await open(`<broadsheet-slot format="${format}"></broadsheet-slot>`, { viewport: { width: 736, height: 900 } });
      const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"/>`;
      await page.route('**/ad.png', (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
      await page.reload();
      await expect.poll(() => page.locator('img').evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
      const { width, height } = await box('.image');
      const ratio = (width * high) / (height * wide);
      expect(Math.min(ratio, 1 / ratio) < 0.75).toBe(whole);
      await expect.poll(() => styleOf('.image', 'object-fit')).toBe(whole ? 'contain' : 'cover');
      expect(await styleOf('.image', 'background-color')).toBe('rgb(246, 246, 244)');
    },
  );

  test.each([
    [300, 600],
    [728, 90],
    [600, 400],
  ])('a picture of %i x %i is shown whole in every format, without a box around it', async (wide, high) => {
    const picture = (words: object) => () => ({ imageUrl: `${sites.publisher.url}/${wide}x${high}.svg.png`, ...words });
    sites.api.respond = picture({ title: ' ', content: null, linkText: null });
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
    sites.api.respond = () => ({ imageUrl: `${sites.publisher.url}/ad.png`, title: ' ', content: '', linkText: null });
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
    for (const part of ['.title', '.content', '.action']) {
      const words = await box(part);
      expect(words.x + words.width).toBeLessThanOrEqual(close.x);
    }
    // The ring of the link is behind the button.
    expect(await styleOf('.close', 'background-color')).toBe('rgba(0, 0, 0, 0)');
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
    sites.api.respond = () => ({ imageUrl: `${sites.publisher.url}/ad.png`, title: ' ', content: '', linkText: null });
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
