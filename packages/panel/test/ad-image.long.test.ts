import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openSite, type Site } from '../../../tools/testing/site.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';
import { visit } from './visitor.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** An image with more than a megabyte after its last chunk, which browsers ignore. */
const LARGE = Buffer.concat([PIXEL, deflateSync(randomBytes(1_200_000))]);

/** A grey PNG. */
function image(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, sum]);
  };
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    PIXEL.subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describeInChromium('the image in the form of an ad', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let site: Site;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs([NEWS], Date.now());
    site = await openSite(({ url = '' }, response) => {
      response.setHeader('Timing-Allow-Origin', '*');
      if (url === '/page.png') response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>');
      else if (url === '/gone.png') response.writeHead(404).end();
      else response.setHeader('Content-Type', 'image/png').end(url === '/large.png' ? LARGE : image(300, 200));
    });
  });
  afterAll(async () => {
    await panel?.close();
    await site?.close();
  });

  it('the image is loaded while its URL is typed, and the form reports what readers would not see', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    await page.goto(`${panel.url}/panel/news/ads.add`);
    const report = page.locator('input[name="imageUrl"] + [role="status"]');
    const type = (url: string) => page.getByLabel('Image', { exact: true }).fill(url);
    for (const [url, problem] of [
      [`${site.url}/gone.png`, 'cannot be displayed'],
      ['/logo.png', 'is relative'],
      [`${site.url}/page.png`, 'cannot be displayed'],
      ['data:image/png;base64,AAAA', 'data: URLs'],
      [`${site.url}/large.png`, 'is 1.2 MB'],
      [`${site.url}/summer-728x90.png`, 'Ad blockers'],
    ] as const) {
      await type(url);
      await expect.poll(() => report.textContent(), { message: url }).toContain(problem);
    }
    await type(`${site.url}/summer.png`);
    await expect.poll(() => report.textContent()).toBe('');
  });

  it('the lists of ads and figures say which running ads have an image that readers do not see', async () => {
    const ad = (number: number, more: object) => ({
      ...{ id: `3f2504e0-4f89-41d3-9a0c-0305e82c33a${number}`, format: 'BANNER' as const, ...more },
    });
    const ads = [
      ad(1, { title: 'Gone', imageUrl: `${site.url}/gone.png` }),
      ad(2, { title: 'Fine', imageUrl: `${site.url}/summer.png` }),
      ad(3, { title: 'Paused', imageUrl: `${site.url}/gone.png`, active: false }),
    ];
    await panel.store.importBlogs([{ id: 'images', name: 'Images', ads }], Date.now());
    const { page, complaints } = await visit(stage, panel, MANAGER);
    for (const path of ['/panel/images', '/panel/images/ads']) {
      await page.goto(panel.url + path);
      await page.getByRole('status').getByText('Gone: The image cannot be displayed').waitFor();
      expect(await page.locator('[data-images] p:visible').count()).toBe(1);
    }
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('the preview shows a chosen file before it is uploaded, and the saved ad shows the stored image', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    await page.goto(`${panel.url}/panel/news/ads.add`);
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Image file').setInputFiles({ name, mimeType: 'image/png', buffer });
    const shown = () =>
      page
        .frameLocator('iframe[data-preview="wide"]')
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.src);
    const report = page.locator('input[name="image"] + [role="status"]');
    for (const [problem, buffer] of [
      ['is 1.2 MB', LARGE],
      ['is empty', Buffer.alloc(0)],
      ['is damaged', image(600, 400).subarray(0, 80)],
      ['has only 1 × 1 pixels', PIXEL],
      ['', image(160, 500)],
    ] as const) {
      await choose('tea.png', buffer);
      await expect.poll(() => report.textContent(), { message: problem }).toContain(problem);
    }
    await page.getByLabel('Title').fill('Tea');
    for (const [problem, width, height] of [
      ['only 160 × 500 pixels: it is blurred. Ask for 600 × 400 pixels.', 160, 500],
      ['aspect ratio', 500, 160],
      ['loses 11 % at the left and right', 675, 400],
      ['loses 11 % at the top and bottom', 600, 450],
    ] as const) {
      await choose('tea.png', image(width, height));
      await expect.poll(() => report.textContent(), { message: problem }).toContain(problem);
    }
    await choose('tea.png', image(600, 400));
    await expect.poll(() => report.textContent()).toBe('');
    await page.getByLabel('Title').fill('');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('tea.png');
    await choose('banner-728x90.png', image(728, 90));
    await expect.poll(() => report.textContent()).toBe('');
    await expect.poll(shown).toMatch(/^data:image\/png/);
    await page.getByLabel('Link', { exact: true }).fill('https://tea.example/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/done=saved/);
    await expect.poll(shown).toMatch(/\/media\/[0-9a-f]{64}\.png$/);
  });

  it.each([
    ['desktop', 1280, 'wide'],
    ['phone', 390, 'narrow'],
  ])('the previews on a %s show the whole ad of each format', async (_, width, name) => {
    const { page } = await visit(stage, panel, MANAGER);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${panel.url}/panel/news/ads.add`);
    await page.getByLabel('Title').fill('Green tea');
    await page.getByLabel('Text', { exact: true }).fill('Leaves, water and time');
    await page.getByLabel('Image', { exact: true }).fill(`data:image/png;base64,${PIXEL.toString('base64')}`);
    for (const format of ['SIDEBAR', 'INLINE', 'NATIVE', 'POPUP', 'BANNER']) {
      await page.getByLabel(format).check();
      const frame = page.locator(`iframe[data-preview="${name}"]`);
      const ad = frame.contentFrame().locator(`broadsheet-slot[format="${format}"] .ad`);
      await ad.getByText('Green tea').waitFor();
      await expect
        .poll(async () => {
          const [inner, outer] = [await ad.boundingBox(), await frame.boundingBox()];
          if (!inner || !outer) return 'nothing';
          const [above, below] = [inner.y - outer.y, outer.y + outer.height - inner.y - inner.height];
          return Math.min(above, below) > 8 ? 'whole' : `${format}: ${above} px above, ${below} px below`;
        })
        .toBe('whole');
    }
    expect(await page.locator('iframe[data-preview="wide"]').isVisible()).toBe(name === 'wide');
  });
});
