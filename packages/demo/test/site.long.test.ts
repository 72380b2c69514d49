import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AD_FORMATS } from '@broadsheet/contract';
import type Axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../../../tools/testing/browsers.ts';
import { CHROMIUM } from '../../../tools/testing/programs.ts';
import { type RunningDemo, startDemo } from '../src/start-demo.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// The clicks of a headless browser do not count.
const READER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

if (!CHROMIUM) console.warn('\n*** SKIPPED: the demo in a browser; Chromium is not installed ***\n');

describe.skipIf(!CHROMIUM)('the demo in Chromium', { shuffle: false }, () => {
  let demo: RunningDemo;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    demo = await startDemo({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, userAgent: READER });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.close();
  });
  /** A demo for one attempt of a test that changes it. */
  const startOwn = async () => {
    const own = await startDemo({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => own.close());
    return own;
  };
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  it('lists the newest posts and loads more until the end, without drafts and without repeats', async () => {
    await page.goto(demo.url);
    const titles = page.locator('.headline');
    await page.locator('.story-lead').waitFor();
    await expect.poll(() => page.title()).toBe('The Broadsheet');
    expect(await titles.count()).toBe(12);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => titles.count()).toBe(23);
    await expect.poll(() => page.getByRole('button', { name: 'Load more' }).isVisible()).toBe(false);
    const words = await titles.allTextContents();
    expect(new Set(words).size).toBe(23);
    expect(words).not.toContain('Notes Towards a Better Drawer');
    expect(words).not.toContain('The Winter Specimen');
  });

  it('opens a post written in Markdown and HTML, and returns to its section', async () => {
    await page.goto(demo.url);
    await page.getByRole('link', { name: 'Craft', exact: true }).first().click();
    await expect.poll(() => page.title()).toBe('Craft — The Broadsheet');
    await page.getByRole('link', { name: 'Paste, Paper, Patience', exact: true }).click();
    await expect.poll(() => page.title()).toBe('Paste, Paper, Patience — The Broadsheet');
    expect(await page.locator('.prose h2').allTextContents()).toEqual(['The kit']);
    expect(await page.locator('.prose figure blockquote').count()).toBe(1);
    await page.goBack();
    await expect.poll(() => page.title()).toBe('Craft — The Broadsheet');
  });

  it('shows lists, posts and searches without scripts', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(demo.url);
    await plain.getByRole('button', { name: 'Load more' }).click();
    expect(await plain.locator('.headline').count()).toBe(11);
    await plain.getByRole('searchbox').fill('bicycle');
    await plain.getByRole('searchbox').press('Enter');
    await plain.getByRole('link', { name: 'Letters Carried by Bicycle' }).click();
    await expect.poll(() => plain.title()).toBe('Letters Carried by Bicycle — The Broadsheet');
    await plain.close();
  });

  it('shows the posts of a tag', async () => {
    await page.goto(`${demo.url}/tags/rivers`);
    await page.getByRole('heading', { level: 1, name: 'Rivers' }).waitFor();
    expect(await page.locator('.story').count()).toBe(3);
  });

  it('searches while the reader types, and shows the last search even if its response comes first', async () => {
    await page.goto(demo.url);
    await page.locator('.story-lead').waitFor();
    // The response to the first search comes last.
    await page.route(/\/search\?q=rai$/, async (route) => {
      await expect.poll(() => page.locator('.search mark').count()).toBeGreaterThan(0);
      await route.continue().catch(() => undefined);
    });
    const field = page.getByRole('searchbox');
    const first = page.waitForRequest(/\/search\?q=rai$/);
    await field.pressSequentially('rai');
    await first;
    await field.fill('bicycle');
    await page.getByRole('heading', { level: 1, name: '“bicycle”' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    const found = await page.locator('.search .headline').allTextContents();
    expect(found).toEqual(['“bicycle”', 'Letters Carried by Bicycle', 'The Parliament of Bells']);
    expect(await page.locator('.search mark').allTextContents()).toEqual(['Bicycle', 'bicycle']);
    await field.fill('xyzzy');
    await page.getByText('Nothing in this edition.').waitFor();
    expect(await field.evaluate((input) => document.activeElement === input)).toBe(true);
    await page.goBack();
    await expect.poll(() => page.title()).toBe('The Broadsheet');
  });

  it('fills every format, and counts a click once in the panel', async () => {
    const own = await startOwn();
    await page.goto(own.url);
    await page.locator('.story-lead').waitFor();
    for (const format of AD_FORMATS) {
      const slot = page.locator(`broadsheet-slot[format="${format}"]`);
      if (format !== 'POPUP') await slot.scrollIntoViewIfNeeded();
      await slot.locator('a').waitFor();
    }
    const desk = page.getByRole('button', { name: 'Ad desk' });
    await expect.poll(() => desk.textContent()).toContain('0 clicked');
    await desk.click();
    const title = (await page.locator('broadsheet-slot[format="SIDEBAR"] .title').textContent()) ?? '';
    const row = page.locator('#ad-desk tr', { hasText: title });
    // The panel polls, so the count may appear a moment after the ad.
    await expect.poll(async () => Number(await row.locator('td').first().textContent())).toBeGreaterThan(0);
    const opened = page.waitForEvent('popup');
    await page.locator('broadsheet-slot[format="SIDEBAR"] a').click();
    await expect.poll(async () => (await opened).url()).toContain('/sponsors/');
    await expect.poll(() => row.locator('td').last().textContent()).toBe('1');
    await expect.poll(() => desk.textContent()).toContain('1 clicked');
    await (await opened).close();
  });

  it('responds with 404 for a page that does not exist', async () => {
    expect((await page.goto(`${demo.url}/posts/no-such-post`))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not in this edition' }).waitFor();
    // The browser itself logs every 404.
    expect(complaints.splice(0)).toHaveLength(1);
  });

  it('reports that more stories could not be loaded, and loads them on the next try', async () => {
    await page.goto(demo.url);
    await page.route(/offset=12/, (route) => route.abort());
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('The server does not respond. Please try again.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Load more' }).press('Enter');
    await expect.poll(() => page.locator('.headline').count()).toBe(23);
    // Keyboard focus is on the first new story.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('A Bench for One Tree');
    complaints.length = 0;
  });

  it.each(['light', 'dark'] as const)('axe finds no violations on any page in %s mode', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const path of [
      '/',
      '/posts/how-to-read-a-pavement',
      '/categories/craft',
      '/search?q=rain',
      '/sponsors/none',
    ]) {
      await page.goto(demo.url + path);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof Axe };
        return (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      expect(found, path).toEqual([]);
    }
  });

  it('responds with 500 when the content cannot be read', async () => {
    const own = await startOwn();
    await own.store.rotateKey(own.blog.id, 'bs_another-key-that-takes-the-place-of-the-first', Date.now());
    expect((await page.goto(`${own.url}/posts/how-to-read-a-pavement`))?.status()).toBe(500);
    await page.getByRole('heading', { name: 'The press has stopped' }).waitFor();
    await page.getByRole('link', { name: 'Try again' }).waitFor();
    complaints.length = 0;
  });
});
