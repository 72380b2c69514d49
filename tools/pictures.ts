/** Takes the pictures of the README and the documentation in Chromium: `pnpm pictures`, or `pnpm pictures report` for some. */
import { writeFile } from 'node:fs/promises';
import type { Browser, ImageFormat, Page, Viewport } from 'puppeteer-core';
import { openGallery } from '../packages/ad-widget/test/gallery.ts';
import { startServer } from '../packages/server/test/broadsheet.ts';
import { launchFullChromium, setViewport } from './testing/browsers.ts';
import { waitUntil } from './testing/wait-until.ts';

type Scheme = 'light' | 'dark';

/** Only pictures whose names contain this text are taken; by default, all. */
const [only = ''] = process.argv.slice(2);
/** The height of a window in which all slots of a long page are near the viewport, so that all ads are rendered. */
const TALL = 16_000;

async function open(browser: Browser, url: string, viewport: Viewport, scheme: Scheme = 'light'): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await setViewport(page, viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url, { waitUntil: 'networkidle0' });
  return page;
}

/** Waits until this many ads are rendered, all with their images. */
const ads = (page: Page, count: number) =>
  page.waitForFunction(
    (least) => {
      const drawn = [...document.querySelectorAll('broadsheet-slot')].flatMap(
        ({ shadowRoot }) => shadowRoot?.querySelector('.ad') ?? [],
      );
      return drawn.length >= least && drawn.every((ad) => ad.querySelector('img')?.complete !== false);
    },
    {},
    count,
  );

/** Writes what the window shows, or the part of it from `top` to `bottom`. */
async function take(page: Page, name: string, clip?: { readonly top: number; readonly bottom: number }): Promise<void> {
  if (!name.includes(only)) return;
  const { width = 0 } = page.viewport() ?? {};
  const type = name.split('.').at(-1) as ImageFormat;
  const quality = type === 'webp' ? { quality: 90 } : {};
  // Capturing beyond the viewport takes slots out of view for a moment, and they lose the space that is reserved for them.
  const area = clip && { clip: { x: 0, y: clip.top, width, height: clip.bottom - clip.top } };
  const picture = await page.screenshot({ type, ...quality, ...area, captureBeyondViewport: false });
  await writeFile(new URL(`../docs/${name}`, import.meta.url), picture);
  console.log(name);
}

/** Every format in every state, and five page designs. */
async function takeGallery(browser: Browser): Promise<void> {
  await using gallery = await openGallery();
  for (const [width, scheme] of [
    [320, 'light'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const) {
    const page = await open(browser, `${gallery.url}/examples/gallery/`, { width, height: TALL }, scheme);
    await ads(page, 45);
    const tops = await page.$$eval('h2', (titles) => titles.map((title) => title.getBoundingClientRect().top));
    for (const [index, format] of ['banner', 'sidebar', 'inline', 'native'].entries()) {
      if (scheme === 'dark' && format !== 'native') continue;
      const [top = 0, bottom = 0] = tops.slice(index);
      await take(page, `gallery/${format}-${width}-${scheme}.png`, { top, bottom });
    }
    await page.close();
  }
  for (const design of ['magazine', 'tech', 'news', 'docs', 'phone']) {
    for (const [width, scheme] of [
      [design === 'phone' ? 390 : 1280, 'light'],
      [320, 'dark'],
    ] as const) {
      const url = `${gallery.url}/examples/gallery/designs.html#${design}`;
      const page = await open(browser, url, { width, height: TALL }, scheme);
      await ads(page, 8);
      const box = await page.$eval(`#${design}`, (section) => section.getBoundingClientRect().toJSON());
      await take(page, `gallery/${design}-${width === 390 ? 1280 : width}-${scheme}.webp`, box);
      await page.close();
    }
  }
}

/** The magazine, the overlay, the panel and a report, of the demo. */
async function takeDemo(browser: Browser): Promise<void> {
  const demo = await startServer(['demo', '--port', '0'], { cwd: import.meta.dirname });
  try {
    await waitUntil('the URLs of the demo', () => demo.printed().includes('Ctrl+C'));
    const [site = '', panel = '', report = ''] = demo.printed().match(/http:\S+/g) ?? [];
    const magazine = await open(browser, site, { width: 1280, height: 1000 });
    await ads(magazine, 1);
    await take(magazine, 'demo.png');
    const overlay = await open(browser, `${site}/?broadsheet-debug`, { width: 1280, height: 720 });
    await ads(overlay, 1);
    await overlay.evaluate(() => scrollTo(0, 130));
    await overlay.waitForFunction(() =>
      [...document.body.children].some(({ shadowRoot }) => shadowRoot?.textContent.includes('viewable: 1')),
    );
    await take(overlay, 'overlay.png');
    const manager = await open(browser, panel, { width: 1280, height: 1000 });
    await Promise.all([manager.waitForNavigation({ waitUntil: 'networkidle0' }), manager.click('main button')]);
    await take(manager, 'panel.png');
    const sponsor = await open(browser, report, { width: 960, height: 1000 });
    const height = await sponsor.evaluate(() => document.documentElement.scrollHeight);
    await setViewport(sponsor, { width: 960, height });
    await take(sponsor, 'report.png');
  } finally {
    await demo.stop();
  }
}

const browser = await launchFullChromium();
try {
  if (!/^(demo|overlay|panel|report)/.test(only)) await takeGallery(browser);
  if (!only.startsWith('gallery')) await takeDemo(browser);
} finally {
  await browser.close();
}
