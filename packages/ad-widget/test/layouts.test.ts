import type { Page } from 'puppeteer-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const WORDS = '<p>Words of the page, which are enough for several lines in a column that is not very wide.</p>';
const banner = '<broadsheet-slot format="BANNER"></broadsheet-slot>';
const sidebar = '<broadsheet-slot format="SIDEBAR"></broadsheet-slot>';
const tall = '<broadsheet-slot format="NATIVE"></broadsheet-slot>';
const around = (style: string, ...parts: string[]): string => `<div style="${style}">${parts.join('')}</div>`;

/** Layouts around a slot: a name, the body, and the slot's minimum width in a window of 1,000 px. */
const LAYOUTS: readonly (readonly [name: string, body: string, width: number])[] = [
  ['a block', banner + WORDS, 1000],
  ['a flex row', around('display: flex', banner), 1000],
  ['a flex row beside text', around('display: flex', banner, `<div style="flex: 1">${WORDS}</div>`), 300],
  ['a flex row beside a fixed column', around('display: flex', '<div style="flex: 0 0 300px">x</div>', banner), 700],
  ['a centred flex row', around('display: flex; justify-content: center; align-items: center', banner), 1000],
  ['a wrapping flex row', around('display: flex; flex-wrap: wrap', WORDS, banner, WORDS), 1000],
  ['a flex column', around('display: flex; flex-direction: column; align-items: center', banner, WORDS), 1000],
  [
    'a flex column without room',
    around('display: flex; flex-direction: column; height: 120px', banner, '<div style="height: 300px">x</div>'),
    1000,
  ],
  ['a grid', around('display: grid; justify-items: start', banner, WORDS), 1000],
  ['a grid of automatic columns', around('display: grid; grid-template-columns: auto auto', banner, WORDS), 200],
  ['a grid of fractions', around('display: grid; grid-template-columns: 2fr 1fr', WORDS, sidebar), 300],
  ['an inline grid', around('display: inline-grid', banner), 300],
  ['a float', around('float: left', banner) + WORDS, 300],
  ['a floating slot', banner.replace('format', 'style="float: left; width: 50%" format') + WORDS, 500],
  // The last element has no margin: Firefox includes one in the height of balanced columns at first, but not later.
  ['columns', around('columns: 2', WORDS, tall, '<div>Words</div>'), 400],
  ['a table cell', `<table><tr><td>${WORDS}<td>${banner}</table>`, 200],
  ['a fixed table', `<table style="table-layout: fixed; width: 100%"><tr><td>x<td>${banner}</table>`, 450],
  ['an inline block', around('display: inline-block', banner), 300],
  ['an absolute box', around('position: absolute; top: 0', banner), 300],
  ['a box that fits its content', around('width: fit-content', banner), 300],
  ['a list', `<ul><li>One<li data-broadsheet-slot="li" data-format="INLINE"><li>Two</ul>`, 900],
  [
    'a bar that does not wrap its text',
    around('display: flex; white-space: nowrap; position: sticky; top: 0', '<b>Site</b>', banner, '<i>Menu</i>'),
    500,
  ],
];

describeInEach('slots in page layouts', (stage) => {
  const sites = useSites();
  beforeEach(() => {
    sites.api.answer = () => ({ title: 'Incomprehensibilities of '.repeat(9), content: 'Long words '.repeat(60) });
  });

  const open = async (body: string, width = 1000): Promise<Page> => {
    sites.page.html = `${sites.head('data-consent="wait"')}<meta name="viewport" content="width=device-width"><body style="margin: 0">${body}`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.setViewport({ width, height: 800 });
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    return page;
  };
  /** The boxes of all elements of the page. */
  const boxes = (page: Page) =>
    page.evaluate(() =>
      Array.from(document.body.querySelectorAll(':not([data-broadsheet-slot] *)'), (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.localName, x, y, width, height];
      }),
    );
  const fill = async (page: Page) => {
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(true));
    await page.waitForFunction(() => window.broadsheet?.clients?.[0]?.stats().drawn);
  };
  const slotWidth = (page: Page) =>
    page.evaluate(
      () => document.querySelector('broadsheet-slot,[data-broadsheet-slot]')?.getBoundingClientRect().width,
    );

  test.each(LAYOUTS)('in %s a slot has room, and its ad moves nothing', async (_, body, width) => {
    const page = await open(body);
    const before = await boxes(page);
    expect(await slotWidth(page)).toBeGreaterThanOrEqual(width);
    await fill(page);
    expect(await boxes(page)).toEqual(before);
  });

  test.each(LAYOUTS)('in %s on a phone an ad moves nothing and does not widen the page', async (_, body) => {
    const page = await open(body, 360);
    const before = await boxes(page);
    await fill(page);
    expect(await boxes(page)).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('a popup takes no room in a flex row', async () => {
    const popup = '<broadsheet-slot format="POPUP"></broadsheet-slot>';
    const page = await open(around('display: flex', '<main style="flex: 1 1 100%">Words</main>', popup));
    expect(await page.evaluate(() => document.querySelector('main')?.clientWidth)).toBe(1000);
  });

  test.each(['2px', '0'])(
    'a slot that is %s wide is neither requested nor viewable, until it has room',
    async (width) => {
      const page = await open(banner.replace('format', `style="width: ${width}" format`) + tall);
      await fill(page);
      const stats = () =>
        page.evaluate(() => JSON.parse(JSON.stringify(window.broadsheet?.clients?.[0]?.stats() ?? {})));
      await expect.poll(stats).toMatchObject({ requested: 1, viewable: 1 });
      await page.evaluate(() => document.querySelector('broadsheet-slot')?.removeAttribute('style'));
      await expect.poll(stats).toMatchObject({ requested: 2, viewable: 2 });
    },
  );
});
