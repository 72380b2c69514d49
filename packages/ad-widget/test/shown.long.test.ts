import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { setViewport } from '../../../tools/testing/browsers.ts';
import { openSite, type Site } from '../../../tools/testing/site.ts';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { adLink } from './site/ad-link.ts';
import { useSites } from './site/sites.ts';

const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];
const slot = (name: string, format = 'BANNER', style = '') =>
  `<broadsheet-slot name="${name}" format="${format}" style="${style}"></broadsheet-slot>`;
const NO_WORDS = { title: null, content: null, linkText: null };

describeInEach('the look, the messages and the counts of ads', (stage) => {
  const sites = useSites();
  /** Images of the size that the path names, such as `/300x600`. */
  let pictures: Site;
  let asked: string[];
  let respond: typeof sites.api.respond;

  beforeAll(async () => {
    pictures = await openSite(({ url = '' }, response) => {
      const [width, height] = url.slice(1).split('x');
      const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
      response.setHeader('Content-Type', 'image/svg+xml').end(body);
    });
  });
  afterAll(() => pictures?.close());
  beforeEach(() => {
    asked = [];
    respond = () => ({});
    sites.api.respond = (request) => {
      asked.push(request.slotId);
      return respond(request);
    };
    sites.api.delivered = sites.api.clicks.length = 0;
  });

  const open = async (body: string, attributes = '', prepare?: (page: Page) => Promise<void>): Promise<Page> => {
    sites.page.html = `${sites.head(attributes)}<body style="margin: 0">${body}`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await setViewport(page, { width: 1000, height: 800 });
    await prepare?.(page);
    await page.goto(sites.publisher.url);
    return page;
  };
  const stats = (page: Page) =>
    page.evaluate(() => JSON.parse(JSON.stringify(window.broadsheet?.clients?.[0]?.stats() ?? {})));
  const passes = (page: Page, time: number) =>
    page.evaluate((wait) => new Promise((resolve) => setTimeout(resolve, wait)), time);
  /** The boxes of parts of the ad of a format, once its image has loaded. */
  const boxes = async (page: Page, format: string, ...parts: string[]) => {
    const found = await page.waitForFunction(
      (name, classes) => {
        const root = document.querySelector(`[format=${name}]`)?.shadowRoot;
        if (!root?.querySelector('.ad') || root.querySelector('img')?.complete === false) return undefined;
        return classes.map((part) => {
          const { x, y, width, height } = root.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
          return { x, y, width, height };
        });
      },
      { polling: 50 },
      format,
      parts,
    );
    return (await found.jsonValue()) ?? [];
  };

  test.each([
    [300, 600],
    [728, 90],
    [600, 400],
  ])('a picture of %i x %i is shown whole in every format', async (width, height) => {
    respond = () => ({ imageUrl: `${pictures.url}/${width}x${height}`, ...NO_WORDS });
    const page = await open(FORMATS.map((format) => slot(format, format)).join(''));
    await setViewport(page, { width: 736, height: 1600 });
    for (const format of FORMATS) {
      const [image, card] = await boxes(page, format, '.image', '.ad');
      expect((image?.width ?? 0) / (image?.height ?? 1)).toBeCloseTo(width / height, 0);
      expect(image?.height).toBeLessThanOrEqual(card?.height ?? 0);
    }
  });

  test('a card without an image is as high as its text', async () => {
    respond = () => ({ title: 'Comfortable walking shoes', content: 'Made for long days.' });
    const page = await open(FORMATS.map((format) => slot(format, format)).join(''));
    for (const format of FORMATS) {
      const [card, first, label] = await boxes(page, format, '.ad', '.title', '.label');
      const words = (label?.y ?? 0) + (label?.height ?? 0) - (first?.y ?? 0);
      expect((card?.height ?? 0) - words).toBeLessThan(32);
      expect(words).toBeLessThan(card?.height ?? 0);
    }
  });

  test('the close button of a popup is 44px wide and high, and beside its title', async () => {
    const page = await open(`<p>Words.</p>${slot('p', 'POPUP')}`);
    // An earlier attempt may have shown this reader a popup.
    await page.evaluate(() => localStorage.clear());
    const act = () =>
      page.keyboard
        .press('Shift')
        .then(() => page.evaluate(() => document.querySelector('broadsheet-slot')?.shadowRoot?.childElementCount));
    await expect.poll(act, { interval: 1500, timeout: 20_000 }).toBe(1);
    const [close, title] = await boxes(page, 'POPUP', '.close', '.title');
    expect([close?.width, close?.height]).toEqual([44, 44]);
    expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(close?.x ?? 0);
  });

  test('an ad blocker is reported by one event and probed once', async () => {
    const probes: string[] = [];
    const page = await open(
      `<script>window.reasons = [];
addEventListener('broadsheet:error', ({ detail }) => reasons.push(detail.reason));</script>${slot('a')}`,
      '',
      async (opened) => {
        await opened.setRequestInterception(true);
        opened.on('request', (request) => {
          if (request.method() === 'HEAD') probes.push(request.url());
          if (request.url().includes('/public/ads/')) void request.abort('blockedbyclient');
          else void request.continue();
        });
      },
    );
    const reasons = () => page.evaluate(() => (window as unknown as { reasons: string[] }).reasons);
    await expect.poll(reasons).toEqual(['blocked']);
    expect(probes).toHaveLength(2);
  });

  test.each([
    [
      'a slot that is not closed',
      '<broadsheet-slot name="a" format="BANNER" /><h1>The page</h1>',
      '',
      '</broadsheet-slot>',
    ],
    ['a script that is a module', slot('a'), 'type="module"', 'load it without type="module"'],
  ])('the console explains the problem: %s', async (_, body, attributes, expected) => {
    const said: string[] = [];
    await open(body, attributes, async (opened) => {
      opened.on('console', (message) => said.push(message.text()));
    });
    await expect.poll(() => said.join('\n')).toContain(expected);
  });

  test('requested, rendered, reused and viewable ads are counted separately', async () => {
    const far = '<p style="height: 4000px"></p>';
    const page = await open(`<p style="height: 900px"></p>${slot('first')}${far}${slot('second')}${far}`);
    await expect.poll(() => stats(page)).toMatchObject({ delivered: 1, rendered: 1, reused: 0, viewable: 0 });
    await page.evaluate(() => document.querySelector('[name=second]')?.scrollIntoView());
    await expect.poll(() => stats(page)).toMatchObject({ delivered: 1, rendered: 2, reused: 1, viewable: 1 });
    expect(asked).toEqual(['first']);
  });

  test('a large ad is viewable when 30 % of it is in view, and a smaller one is not', async () => {
    const large = slot('large', 'BANNER', 'position: absolute; top: 480px; width: 900px; height: 900px');
    const page = await open(large);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    const small = slot('small', 'BANNER', 'position: absolute; top: 680px; width: 600px; height: 300px');
    const other = await open(slot('seen') + small);
    await expect.poll(() => stats(other)).toMatchObject({ delivered: 2, viewable: 1 });
    await passes(other, 1500);
    expect(await stats(other)).toMatchObject({ viewable: 1 });
  });

  test('data-margin sets how far around the viewport ads are requested, data-dwell how long a reader must rest', async () => {
    const body = `<p style="height: 1500px"></p>${slot('low')}`;
    const near = await open(body, 'data-margin="0px"');
    await near.evaluate(() => scrollTo(0, 500));
    await passes(near, 1000);
    expect(asked).toEqual([]);
    const far = await open(body, 'data-margin="600px" data-dwell="0"');
    await far.evaluate(() => scrollTo(0, 200));
    await expect.poll(() => asked).toEqual(['low']);
  });

  test("a slot removed inside another element's shadow root is released", async () => {
    const page = await open('<section></section>');
    await page.evaluate(() => {
      const made = document.createElement('broadsheet-slot');
      made.setAttribute('format', 'BANNER');
      document.querySelector('section')?.attachShadow({ mode: 'open' }).append(made);
    });
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    await page.evaluate(() => document.querySelector('section')?.shadowRoot?.replaceChildren());
    await expect.poll(() => page.evaluate(() => window.broadsheet?.clients?.[0]?.inspect().length)).toBe(0);
  });

  test('a click that the page prevents is not counted, but a click whose propagation it stops is counted', async () => {
    const page = await open(`<div id="prevents">${slot('a')}</div><div id="stops">${slot('b')}</div><script>
document.querySelector('#prevents').addEventListener('click', (event) => event.preventDefault());
document.querySelector('#stops').addEventListener('click', (event) => event.stopPropagation());</script>`);
    for (const name of ['a', 'b']) await (await adLink(page, `[name=${name}]`)).click();
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    expect((await stats(page)).clicks).toMatchObject({ posted: 1 });
  });

  test.each([
    ['a closed accordion', 'height: 0; overflow: hidden', ''],
    [
      'a slide beside its scroller',
      'width: 600px; overflow: hidden; display: flex',
      'margin-left: 700px; min-width: 300px',
    ],
    ['a box scaled to nothing', 'transform: scale(0)', ''],
    ['a box scaled to a dot', 'transform: scale(0.01)', ''],
  ])('no ad is requested for a slot in %s until it is shown, and then it is viewable', async (_, around, own) => {
    const page = await open(`${slot('seen')}<div id="around" style="${around}">${slot('hidden', 'BANNER', own)}</div>`);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    expect(asked).toEqual(['seen']);
    await page.evaluate(() => {
      document.querySelector('#around')?.removeAttribute('style');
      document.querySelector('[name=hidden]')?.removeAttribute('style');
    });
    await expect.poll(() => stats(page)).toMatchObject({ delivered: 2, viewable: 2 });
  });

  test('refresh replaces the ads in view; the others are replaced on their way back into view', async () => {
    const page = await open(`${slot('top')}<p style="height: 3000px"></p>${slot('low')}<p style="height: 900px"></p>`);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    await page.evaluate(() => document.querySelector('[name=low]')?.scrollIntoView());
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 2 });
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.refresh());
    await expect.poll(() => asked).toEqual(['top', 'low', 'low']);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 3 });
    expect(asked).toHaveLength(3);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => asked).toEqual(['top', 'low', 'low', 'top']);
  });
});
