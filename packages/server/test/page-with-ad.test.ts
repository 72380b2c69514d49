import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { openStore } from '../../store/src/open-store.ts';
import { serve } from './broadsheet.ts';

// A headless browser counts as a bot.
const READER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

describeInChromium('a page with the ad widget, and a server with its default settings', (stage) => {
  it('shows an ad whose impression, view and click are counted, without a message in the console', async () => {
    let html = '';
    const site = await openSite(({ url }, response) =>
      response.setHeader('content-type', 'text/html').end(url === '/' ? html : ''),
    );
    onTestFinished(() => site.close());
    const blog = { ...TEST_BLOG, domains: [new URL(site.url).host] };
    const ads = TEST_BLOG.ads.map((ad) => ({ ...ad, linkUrl: `${site.url}/tea` }));
    const cwd = await temporaryFolder().write({ 'blog.json': JSON.stringify({ blogs: [{ ...blog, ads }] }) });
    const server = await serve(['--import', 'blog.json'], { cwd });
    onTestFinished(async () => void (await server.stop()));
    const store = await openStore(`sqlite:${join(cwd, 'broadsheet.db')}`);
    onTestFinished(() => store.close());
    html = `<!doctype html><title>News</title><link rel="icon" href="data:,">
<script async src="${server.url}/broadsheet.js" data-base-url="${server.url}" data-api-key="test-key"></script>
<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>`;
    const page = await stage.newPage({ userAgent: READER });
    const messages = recordConsole(page);
    const reported = page.waitForResponse((response) => response.url().endsWith('/measure/viewable'));
    await page.goto(site.url);
    expect((await reported).status()).toBe(204);
    await page.locator('broadsheet-slot a').click();
    const figures = async () => {
      const [total] = await store.figures('news', { by: [] });
      return [total?.delivered, total?.viewable, total?.clicks];
    };
    await expect.poll(figures).toEqual([1, 1, 1]);
    expect(messages).toEqual([]);
  });
});
