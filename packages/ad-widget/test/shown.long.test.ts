import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const slot = (name: string, style = '') =>
  `<broadsheet-slot name="${name}" format="BANNER" style="${style}"></broadsheet-slot>`;

describeInChromium('what nobody can see is not bought, and what is seen is viewable', (stage) => {
  const sites = useSites();
  let page: Page;
  let asked: string[];
  const stats = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats());
  const open = async (body: string, head = '') => {
    sites.page.html = `${sites.head(head)}<body style="margin: 0">${body}`;
    await page.goto(sites.publisher.url);
  };

  beforeEach(async () => {
    asked = [];
    sites.api.clicks.length = 0;
    sites.api.answer = ({ slotId }) => {
      asked.push(slotId ?? '');
      return {};
    };
    page = await stage.newPage({ viewport: { width: 1000, height: 800 } });
  });

  test.each([
    ['a closed accordion', 'height: 0; overflow: hidden', ''],
    [
      'a slide beside its scroller',
      'width: 600px; overflow: hidden; display: flex',
      'margin-left: 700px; min-width: 300px',
    ],
    ['scaled to nothing', 'transform: scale(0)', ''],
    ['scaled to a dot', 'transform: scale(0.01)', ''],
  ])('%s: not bought until it opens, then viewable', async (_, around, own) => {
    await open(`${slot('seen')}<div id="around" style="${around}">${slot('hidden', own)}</div>`);
    await expect.poll(stats).toMatchObject({ viewable: 1 });
    expect(asked).toEqual(['seen']);
    await page.evaluate(() => {
      document.querySelector('#around')?.removeAttribute('style');
      document.querySelector('[name=hidden]')?.removeAttribute('style');
    });
    await expect.poll(stats).toMatchObject({ bought: 2, viewable: 2 });
  });

  test('refresh buys for what is in view; the others are exchanged on their way back', async () => {
    await open(`${slot('top')}<p style="height: 3000px"></p>${slot('low')}<p style="height: 900px"></p>`);
    await expect.poll(stats).toMatchObject({ viewable: 1 });
    await page.evaluate(() => document.querySelector('[name=low]')?.scrollIntoView());
    await expect.poll(stats).toMatchObject({ viewable: 2 });
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.refresh());
    await expect.poll(() => asked).toEqual(['top', 'low', 'low']);
    await expect.poll(stats).toMatchObject({ viewable: 3 });
    expect(asked).toHaveLength(3);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => asked).toEqual(['top', 'low', 'low', 'top']);
  });

  test('an ad that was bought and not seen goes to the next slot of its format before another is bought', async () => {
    const far = '<p style="height: 4000px"></p>';
    await open(`<p style="height: 900px"></p>${slot('first')}${far}${slot('second')}${far}`);
    await expect.poll(stats).toMatchObject({ bought: 1, drawn: 1, reused: 0, viewable: 0 });
    await page.evaluate(() => document.querySelector('[name=second]')?.scrollIntoView());
    await expect.poll(stats).toMatchObject({ bought: 1, drawn: 2, reused: 1, viewable: 1 });
    expect(asked).toEqual(['first']);
    await page.evaluate(() => document.querySelector('[name=first]')?.scrollIntoView());
    await expect.poll(stats).toMatchObject({ bought: 2, drawn: 3, viewable: 2 });
  });

  test('a large creative is viewable when 30 % of it are in view, a smaller one is not', async () => {
    await open(slot('large', 'position: absolute; top: 480px; width: 900px; height: 900px'));
    await expect.poll(stats).toMatchObject({ viewable: 1 });
    await open(`${slot('seen')}${slot('small', 'position: absolute; top: 680px; width: 600px; height: 300px')}`);
    await expect.poll(stats).toMatchObject({ bought: 2, viewable: 1 });
    await page.waitForFunction(() => performance.now() > 2500);
    expect(await stats()).toMatchObject({ viewable: 1 });
  });

  test('data-margin says how far around the viewport ads are bought, data-dwell how long a rest is', async () => {
    const body = `<p style="height: 1500px"></p>${slot('low')}`;
    await open(body, 'data-margin="0px"');
    await page.evaluate(() => scrollTo(0, 500));
    await page.waitForFunction(() => performance.now() > 1500);
    expect(asked).toEqual([]);
    await open(body, 'data-margin="600px" data-dwell="0"');
    await page.evaluate(() => scrollTo(0, 200));
    await expect.poll(() => asked).toEqual(['low']);
  });

  test("a slot removed inside another element's shadow root is let go at once", async () => {
    await open('<section></section>');
    await page.evaluate(() => {
      const root = document.querySelector('section')?.attachShadow({ mode: 'open' });
      const made = document.createElement('broadsheet-slot');
      made.setAttribute('format', 'BANNER');
      root?.append(made);
    });
    await expect.poll(stats).toMatchObject({ drawn: 1 });
    const left = await page.evaluate(async () => {
      document.querySelector('section')?.shadowRoot?.replaceChildren();
      await Promise.resolve();
      return window.broadsheet?.clients?.[0]?.inspect().length;
    });
    expect(left).toBe(0);
  });

  test('a click whose default the page prevented is not counted, one that it stops on its way is', async () => {
    await open(`<div id="prevents">${slot('a')}</div><div id="stops">${slot('b')}</div><script>
document.querySelector('#prevents').addEventListener('click', (event) => event.preventDefault());
document.querySelector('#stops').addEventListener('click', (event) => event.stopPropagation());</script>`);
    await page.locator('[name=a] a').click();
    await page.locator('[name=b] a').click();
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    expect((await stats())?.clicks).toMatchObject({ posted: 1 });
  });
});
