import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { MANAGER, NEWS, startPanel } from './panel-server.ts';
import { visit } from './visitor.ts';

const [TEA = ''] = NEWS.ads.map(({ id }) => id);

describeInChromium('the figures of the overview', (stage) => {
  it('the figures are updated while the page is open, without loading it again', async () => {
    const panel = await startPanel(`sqlite:${temporaryFolder().join('panel.db')}`);
    onTestFinished(() => panel.close());
    await panel.store.importBlogs([NEWS], Date.now());
    const deliver = () => panel.store.deliver('news', { slots: [{ placement: 'top', candidates: [TEA] }] }, Date.now());
    await deliver();
    const { page } = await visit(stage, panel, MANAGER);
    await page.goto(`${panel.url}/panel/news?period=today`);
    const cells = async () => {
      const texts = await page.locator('[data-live$="-impressions"]').allTextContents();
      return texts.filter((text) => text !== '0');
    };
    const line = () => page.locator('.chart-wide .current').first().getAttribute('d');
    const before = await line();
    // The total, the ad and the placement.
    expect(await cells()).toEqual(['1', '1', '1']);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    for (let count = 1; count < 12; count += 1) await deliver();
    await expect.poll(cells, { timeout: 20_000 }).toEqual(['12', '12', '12']);
    expect(await line()).not.toBe(before);
    expect(await page.locator('.changed').count()).toBeGreaterThan(2);
    expect(new Set(loaded)).toEqual(new Set(['/panel/news/live.json']));
  });
});
