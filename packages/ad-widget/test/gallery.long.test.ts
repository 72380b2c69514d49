import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { setViewport } from '../../../tools/testing/browsers.ts';
import type { Site } from '../../../tools/testing/site.ts';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { openGallery } from './gallery.ts';

const WIDTHS = [320, 390, 480, 768, 1280];
/** Words in the names of slots without an ordinary ad. */
const OTHERS = /broken|hostile|empty|slow|error|popup/;

/** The positions of an ad of the gallery and its parts, in window coordinates. */
interface Drawn {
  readonly name: string;
  readonly card: DOMRect;
  readonly label: DOMRect;
  readonly image?: DOMRect | undefined;
  readonly action?: DOMRect | undefined;
  readonly bare: boolean;
  /** Whether text is cut off, and how many more lines would fit. */
  readonly cut: boolean;
  readonly room: number;
  /** The space above and below the slot. */
  readonly space: number;
}

/** Measures each ad once its image has loaded; runs in the page. */
function measure(): Drawn[] | undefined {
  const slots = [...document.querySelectorAll<HTMLElement>('figure > :is(broadsheet-slot, [data-broadsheet-slot])')];
  const waiting = slots.filter(({ shadowRoot }) => {
    const image = shadowRoot?.querySelector('img');
    return image && !image.complete;
  });
  if (waiting.length || slots.filter((slot) => slot.shadowRoot?.querySelector('.ad')).length < 40) return undefined;
  return slots.flatMap((slot): Drawn[] => {
    const card = slot.shadowRoot?.querySelector<HTMLElement>('.ad');
    const name = slot.getAttribute('name') ?? slot.dataset['broadsheetSlot'] ?? '';
    if (!card) return [];
    const box = (part: string) => card.querySelector(part)?.getBoundingClientRect().toJSON();
    const words = card.querySelector('.words');
    const text = card.querySelector('.text');
    const line = Number.parseFloat(getComputedStyle(text ?? card).lineHeight);
    const free = (text?.clientHeight ?? 0) - (words?.clientHeight ?? 0) - 2 * (box('.label')?.height ?? 0);
    const { marginTop, marginBottom } = getComputedStyle(slot);
    return [
      {
        name,
        card: card.getBoundingClientRect().toJSON(),
        label: box('.label'),
        image: box('.image'),
        action: box('.action'),
        bare: card.classList.contains('bare'),
        cut: !!words && words.scrollHeight > words.clientHeight + 1,
        room: free / line,
        space: Math.min(Number.parseFloat(marginTop), Number.parseFloat(marginBottom)),
      },
    ];
  });
}

describeInEach('the gallery', (stage) => {
  let site: Site;
  beforeAll(async () => {
    site = await openGallery();
  });
  afterAll(() => site?.close());

  const open = async (width: number): Promise<[Page, readonly Drawn[]]> => {
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await setViewport(page, { width, height: 16_000 });
    await page.goto(`${site.url}/examples/gallery/`);
    const rendered = await page.waitForFunction(measure, { polling: 100 });
    return [page, (await rendered.jsonValue()) ?? []];
  };

  test.each(WIDTHS)('in a window of %i px no part of an ad is covered or cut off', async (width) => {
    const [page, rendered] = await open(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const ads = rendered.filter(({ name }) => !OTHERS.test(name));
    expect(ads.length).toBeGreaterThanOrEqual(40);
    const faults = ads.flatMap(({ name, card, label, image, action, bare, cut, room, space }) => {
      const wrong: Record<string, boolean | undefined> = {
        'its label leaves the card': label.bottom > card.bottom + 0.5,
        'its label is not in the last line': !!action && action.bottom > label.bottom + 0.5,
        'its words are cut beside room for two more lines': cut && room >= 2,
        'its image is a strip': image && !bare && (image.height < 48 || image.width < 60),
        'its image leaves the card': image && (image.bottom > card.bottom + 0.5 || image.right > card.right + 0.5),
        'its text is spread beyond its image':
          bare && image && action && label.right - action.left > Math.max(image.width, 240) + 1,
        'it has no space around it': space < 16,
      };
      return Object.keys(wrong).flatMap((fault) => (wrong[fault] ? [`${name}: ${fault}`] : []));
    });
    expect(faults).toEqual([]);
  });

  test('an image without text keeps its aspect ratio', async () => {
    for (const width of [320, 1280]) {
      const [, rendered] = await open(width);
      for (const { name, image } of rendered.filter(({ bare }) => bare)) {
        const [wide, high] = name.includes('wide') ? [728, 90] : [600, 400];
        expect((image?.width ?? 0) / (image?.height ?? 1), name).toBeCloseTo(wide / high, 0);
      }
    }
  });

  test('slots leave no gaps in print', async () => {
    const [page] = await open(1280);
    // Firefox cannot emulate print media over WebDriver BiDi: the rules for print are applied to the screen.
    const heights = await page.evaluate(() => {
      for (const sheet of document.styleSheets) {
        for (const rule of sheet.cssRules)
          if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') rule.media.mediaText = 'all';
      }
      return [...document.querySelectorAll('figure > broadsheet-slot')].map(
        (slot) => slot.getBoundingClientRect().height,
      );
    });
    expect(Math.max(...heights)).toBe(0);
  });
});
