import type { Frame } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const WORDS = '<p>Words of the page, which are enough for several lines in a column that is not very wide.</p>';
const banner = '<broadsheet-slot format="BANNER"></broadsheet-slot>';
const sidebar = '<broadsheet-slot format="SIDEBAR"></broadsheet-slot>';
const tall = '<broadsheet-slot format="NATIVE"></broadsheet-slot>';
const around = (style: string, ...parts: string[]): string => `<div style="${style}">${parts.join('')}</div>`;

/** The layouts around a slot: the name, the body, and the slot's minimum width in a window of 1,000 px. */
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
  beforeAll(() => {
    sites.api.respond = () => ({ title: 'Incomprehensibilities of '.repeat(9), content: 'Long words '.repeat(60) });
  });

  /**
   * Opens one page with a frame of this width for each body. The frames are scaled down and stacked, so that
   * each is in view as a whole, regardless of the size of the window: older versions of Firefox cannot emulate it.
   */
  async function open(width: number, bodies: readonly string[]): Promise<readonly Frame[]> {
    const frames = bodies.map((body) => {
      const page = `${sites.head('data-consent="wait"')}<body style="margin: 0">${body}`;
      return `<iframe width="${width}" height="800" srcdoc="${page.replaceAll('"', '&quot;')}"></iframe>`;
    });
    const style = 'position: absolute; top: 0; left: 0; border: 0; transform: scale(.5); transform-origin: 0 0';
    sites.page.html = `<!doctype html><style>iframe { ${style} }</style>${frames.join('')}`;
    const page = await stage.browser.newPage();
    await page.goto(sites.publisher.url);
    return Promise.all(
      (await page.$$('iframe')).map(async (element) => {
        const frame = await element.contentFrame();
        await frame.waitForFunction(() => window.broadsheet?.clients?.length);
        return frame;
      }),
    );
  }
  /** The boxes of all elements of a frame. */
  const boxes = (frame: Frame) =>
    frame.evaluate(() =>
      Array.from(document.body.querySelectorAll(':not([data-broadsheet-slot] *)'), (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.localName, x, y, width, height];
      }),
    );
  const fill = async (frame: Frame) => {
    await frame.evaluate(() => window.broadsheet?.clients?.[0]?.consent(true));
    await frame.waitForFunction(() => window.broadsheet?.clients?.[0]?.stats().rendered);
  };
  const slotWidth = (frame: Frame) =>
    frame.evaluate(
      () => document.querySelector('broadsheet-slot,[data-broadsheet-slot]')?.getBoundingClientRect().width,
    );

  describe.each([1000, 360])('in a window of %i px', (size) => {
    let frames: readonly Frame[];
    /** The boxes of each frame before it has an ad. */
    let empty: Awaited<ReturnType<typeof boxes>>[];
    beforeAll(async () => {
      frames = await open(
        size,
        LAYOUTS.map(([, body]) => body),
      );
      empty = await Promise.all(frames.map(boxes));
    });

    test.each(LAYOUTS.map(([name, , width], index) => ({ name, width, index })))(
      'in $name a slot has room, and its ad moves nothing and does not widen the page',
      async ({ width, index }) => {
        const frame = frames[index];
        if (!frame) throw new Error('no frame');
        if (size === 1000) expect(await slotWidth(frame)).toBeGreaterThanOrEqual(width);
        await fill(frame);
        expect(await boxes(frame)).toEqual(empty[index]);
        expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBe(size);
      },
    );
  });

  test('a popup takes no room in a flex row', async () => {
    const popup = '<broadsheet-slot format="POPUP"></broadsheet-slot>';
    const [frame] = await open(1000, [around('display: flex', '<main style="flex: 1 1 100%">Words</main>', popup)]);
    expect(await frame?.evaluate(() => document.querySelector('main')?.clientWidth)).toBe(1000);
  });

  test('a slot that is 2px or 0 wide is neither requested nor viewable, until it has room', async () => {
    const widths = ['2px', '0'];
    const frames = await open(
      1000,
      widths.map((width) => banner.replace('format', `style="width: ${width}" format`) + tall),
    );
    const stats = () =>
      Promise.all(
        frames.map((frame) =>
          frame.evaluate(() => JSON.parse(JSON.stringify(window.broadsheet?.clients?.[0]?.stats() ?? {}))),
        ),
      );
    const all = (count: number) => widths.map(() => ({ requested: count, viewable: count }));
    await Promise.all(frames.map(fill));
    await expect.poll(stats).toMatchObject(all(1));
    for (const frame of frames) {
      await frame.evaluate(() => document.querySelector('broadsheet-slot')?.removeAttribute('style'));
    }
    await expect.poll(stats).toMatchObject(all(2));
  });
});
