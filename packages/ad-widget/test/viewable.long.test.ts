import type { Page } from 'puppeteer-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { setViewport } from '../../../tools/testing/browsers.ts';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { serveMemory } from '../../http/test/serve-memory.ts';
import { KEY } from './site/api.ts';
import { useSites } from './site/sites.ts';

const SEEN = '3b241101-e2bb-4255-8caf-4136c566a901';
const UNSEEN = '3b241101-e2bb-4255-8caf-4136c566a902';
/** An ad in view, and one just below the fold, which is requested too. */
const PAGE = `<body style="margin: 0"><broadsheet-slot name="top" format="BANNER"></broadsheet-slot>
<p style="height: 700px"></p><broadsheet-slot name="below" format="NATIVE"></broadsheet-slot>`;

describeInEach('viewable ads are reported to a real server', (stage) => {
  const sites = useSites();
  let server: Awaited<ReturnType<typeof serveMemory>>;
  beforeEach(async () => {
    sites.api.requests.length = 0;
    server = await serveMemory();
    const ads = [
      { id: SEEN, format: 'BANNER' as const, title: 'Seen', linkUrl: 'https://tea.example/' },
      { id: UNSEEN, format: 'NATIVE' as const, title: 'Unseen', linkUrl: 'https://tea.example/' },
    ];
    server.memory.putBlog({ id: 'shop', name: 'Shop', apiKeys: [KEY], ads }, Date.now());
  });

  const head = () => sites.head().replace(sites.api.url, server.server.url);
  const open = async (html: string): Promise<Page> => {
    sites.page.html = html;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    // A headless browser counts as a bot.
    await page.setUserAgent({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' });
    await setViewport(page, { width: 1000, height: 800 });
    await page.goto(sites.publisher.url);
    return page;
  };
  const counts = () =>
    server.memory
      .figures('shop', { by: ['ad'] })
      .filter(({ ad }) => ad !== '')
      .map(({ ad, delivered, valid, viewable }) => [ad, delivered, delivered - valid, viewable]);
  const viewed = (page: Page) =>
    page.waitForFunction(() => window.broadsheet?.clients?.[0]?.stats().viewable, { polling: 50 });

  test('an ad that was visible for a second is counted once, and one out of view is not', async () => {
    const page = await open(head() + PAGE);
    const expected = [
      [SEEN, 1, 0, 1],
      [UNSEEN, 1, 0, 0],
    ];
    await expect.poll(counts, { timeout: 15_000 }).toEqual(expected);
    await page.goto('about:blank');
    expect(counts()).toEqual(expected);
  });

  test('a page that is left before its report is due sends the report at that moment', async () => {
    const page = await open(head() + PAGE);
    await viewed(page);
    await page.goto('about:blank');
    await expect.poll(() => counts()[0]).toEqual([SEEN, 1, 0, 1]);
  });

  test('a server that does not measure gets no report', async () => {
    const page = await open(sites.head() + PAGE);
    await viewed(page);
    await page.goto('about:blank');
    await page.goto(sites.publisher.url);
    await expect.poll(() => sites.api.requests.filter((request) => request.startsWith('POST')).length).toBe(2);
    expect(sites.api.requests.filter((request) => request.includes('measure'))).toEqual([]);
  });
});
