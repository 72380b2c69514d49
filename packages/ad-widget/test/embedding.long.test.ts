import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { deliveredMarkup } from '../src/frameworks/server.ts';
import { openPopup } from './site/open-popup.ts';
import { useSites } from './site/sites.ts';

const BANNER = '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>';

describeInChromium('the published script in a page', (stage) => {
  const sites = useSites();
  let page: Page;

  beforeEach(async () => {
    sites.api.requests.length = 0;
    sites.api.clicks.length = 0;
    sites.page.policy = '';
    page = await stage.newPage();
  });

  test('commands pushed before and after loading run once for each client of the page', async () => {
    sites.page.html = `${sites.head()}<script>
window.broadsheet = window.broadsheet?.push ? window.broadsheet : [];
window.broadsheet.push((ads) => { document.title += ' before:' + ads.client });
</script>${sites.head('data-client="b"').split('\n').at(-1)}
<body><broadsheet-slot name="one" format="BANNER"></broadsheet-slot><broadsheet-slot name="two" client="b" format="BANNER"></broadsheet-slot>`;
    await page.goto(sites.publisher.url);
    await page.locator('[name=one] a').waitFor();
    await page.locator('[name=two] a').waitFor();
    const clients = await page.evaluate(() => {
      const seen: string[] = [];
      (window as unknown as { broadsheet: ((ads: { client: string }) => void)[] }).broadsheet.push((ads) =>
        seen.push(ads.client),
      );
      return seen.sort();
    });
    expect(clients).toEqual(['', 'b']);
    expect((await page.title()).split(' before:').slice(1).sort()).toEqual(['', 'b']);
  });

  test('the script adds one global and changes nothing else: no function of the page, no cookie, no attribute', async () => {
    sites.page.html = `<!doctype html><script>
window.before = { names: Object.getOwnPropertyNames(window), fetch, push: history.pushState, attach: Element.prototype.attachShadow };
</script>${sites.head().replace('<!doctype html>', '')}<body>${BANNER}`;
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').click();
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    const changes = await page.evaluate(() => {
      const { before } = window as unknown as {
        before: { names: string[]; fetch: unknown; push: unknown; attach: unknown };
      };
      return {
        names: Object.getOwnPropertyNames(window).filter((name) => !before.names.includes(name) && name !== 'before'),
        same:
          before.fetch === fetch &&
          before.push === history.pushState &&
          before.attach === Element.prototype.attachShadow,
        cookie: document.cookie,
        slot: document.querySelector('broadsheet-slot')?.outerHTML,
      };
    });
    expect(changes).toEqual({ names: ['broadsheet'], same: true, cookie: '', slot: BANNER });
  });

  test('ads the server delivered with the page are shown without a request, under the strictest policy', async () => {
    const { api, advertiser } = sites;
    const results = [
      {
        slotId: 'top',
        format: 'BANNER' as const,
        filled: true as const,
        id: 'ad-1',
        title: 'From the server </script>',
        linkUrl: `${advertiser.url}/`,
        clickToken: 'server-token',
      },
    ];
    sites.page.policy = sites.strict();
    sites.page.html = `${sites.head()}<body>${BANNER}${deliveredMarkup(results)}`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').click();
    expect(await page.locator('broadsheet-slot .title').textContent()).toBe('From the server </script>');
    await expect.poll(() => api.clicks).toEqual(['server-token']);
    expect(api.requests.filter((request) => request.includes('formats'))).toEqual([]);
    expect(said).toEqual([]);
  });

  test('a click that could not be sent is sent by the next page of the site', async () => {
    sites.page.html = `${sites.head()}<body>${BANNER}`;
    await page.route('**/tracking/click', (route) => route.abort());
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').click();
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).length);
    await expect.poll(kept).toBe(1);
    await page.unroute('**/tracking/click');
    await page.goto(`${sites.publisher.url}/another`);
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    await expect.poll(kept).toBe(0);
  });

  test('the script may come from another origin, with and without `crossorigin`', async () => {
    const elsewhere = sites.publisher.url.replace('127.0.0.1', 'localhost');
    for (const attribute of ['', 'crossorigin']) {
      const head = sites.head(attribute).replaceAll('"/broadsheet', `"${elsewhere}/broadsheet`);
      sites.page.html = `${head}<body><broadsheet-slot name="p" format="POPUP" every="0"></broadsheet-slot>`;
      await page.goto(sites.publisher.url);
      await openPopup(page);
    }
  });

  test('the rehearsal fills all five formats without a request; the overlay reports the state of each slot', async () => {
    const formats = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE', 'POPUP'];
    sites.page.html = `${sites.head('data-mode="mock"')}<body>${formats
      .map((format) => `<broadsheet-slot name="${format.toLowerCase()}" format="${format}"></broadsheet-slot>`)
      .join(
        '',
      )}<div data-broadsheet-slot="empty-one" data-format="INLINE"></div><p style="height: 4000px"></p><broadsheet-slot name="far" format="BANNER"></broadsheet-slot>`;
    await page.setViewportSize({ width: 1000, height: 2000 });
    await page.goto(`${sites.publisher.url}/?broadsheet-debug`);
    const cards = page.locator('broadsheet-slot .ad');
    await expect.poll(() => cards.count()).toBe(4);
    await openPopup(page);
    const rows = () => page.locator('div td:nth-child(-n+4)').allTextContents();
    await expect.poll(async () => (await rows()).join(' ')).toContain('empty-one INLINE empty');
    const text = (await rows()).join(' ');
    expect(text).toContain('banner BANNER filled');
    expect(text).toContain('far BANNER waiting far from the viewport');
    expect(await page.locator('th').allTextContents()).toEqual(
      expect.arrayContaining(['state', 'because', 'token age', 'shift', 'bytes']),
    );
    expect(sites.api.requests).toEqual([]);
  });

  test('the overlay gives the reason for every slot without an ad', async () => {
    sites.api.respond = ({ slotId }) => (slotId === 'none' ? { filled: false } : {});
    sites.page.html = `${sites.head()}<body><broadsheet-slot name="p" format="POPUP"></broadsheet-slot>
<broadsheet-slot name="hidden" format="BANNER" style="display: none"></broadsheet-slot>
<broadsheet-slot name="none" format="BANNER"></broadsheet-slot>
<broadsheet-slot name="typo" format="BANER"></broadsheet-slot>
<broadsheet-slot name="other" client="b" format="BANER"></broadsheet-slot>
<broadsheet-slot name="open" format="BANNER" /><broadsheet-slot name="within" format="BANNER"></broadsheet-slot>`;
    const said = recordConsole(page);
    await page.goto(`${sites.publisher.url}/?broadsheet-debug`);
    const reasons = async () => {
      const cells = await page.locator('div td:nth-child(4n+1):nth-child(-n+4), td:nth-child(4)').allTextContents();
      return Object.fromEntries(cells.flatMap((cell, index) => (index % 2 ? [] : [[cell, cells[index + 1]]])));
    };
    const formats = 'use one of BANNER, SIDEBAR, POPUP, INLINE, NATIVE';
    await expect.poll(reasons).toEqual({
      p: 'waits for the reader to do something, and to stay',
      hidden: 'not displayed, or covered',
      none: 'there is no ad for it',
      typo: `unknown format "BANER" of <broadsheet-slot name="typo" format="BANER">; ${formats}`,
      open: '',
      within: 'inside open; close that tag with </broadsheet-slot>',
    });
    expect(said.filter((text) => text.includes('BANER'))).toEqual([expect.stringContaining(formats)]);
    await page.evaluate(() => localStorage.setItem('broadsheet:popup', String(Date.now())));
    await expect.poll(async () => (await reasons())['p']).toBe('this reader had a popup (see "every")');
    sites.api.respond = () => ({});
  });

  test('an unknown data-mode starts a rehearsal, with a warning', async () => {
    sites.page.html = `${sites.head('data-mode="test"')}<body>${BANNER}`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    await page.locator('broadsheet-slot a').waitFor();
    expect(sites.api.requests).toEqual([]);
    expect(said).toEqual([expect.stringContaining('data-mode="test" is unknown and treated as "mock"')]);
  });

  test('the console names a tag that is not closed, and a script that is a module', async () => {
    sites.page.html = `${sites.head()}<body><broadsheet-slot name="open" format="BANNER" /><h1>The page</h1>`;
    let messages = recordConsole(page);
    await page.goto(sites.publisher.url);
    await expect.poll(() => messages.join()).toContain('write </broadsheet-slot>');
    sites.page.html = `${sites.head('type="module"')}<body>${BANNER}`;
    messages = recordConsole(page);
    await page.goto(sites.publisher.url);
    await expect.poll(() => messages.join()).toContain('load it without type="module"');
  });

  test('a format that is set late is not reported as a mistake', async () => {
    sites.page.html = `${sites.head()}<body>`;
    const said = recordConsole(page);
    await page.goto(sites.publisher.url);
    await page.evaluate(() => {
      const slot = document.createElement('broadsheet-slot');
      document.body.append(slot);
      slot.setAttribute('format', 'BANNER');
    });
    await page.locator('broadsheet-slot a').waitFor();
    expect(said).toEqual([]);
  });

  test('the overlay shows the state and the reason of a slot', async () => {
    sites.page.html = `${sites.head()}<body>${BANNER}<p style="height: 4000px"></p><broadsheet-slot name="far" format="BANNER"></broadsheet-slot>`;
    await page.goto(`${sites.publisher.url}/?broadsheet-debug`);
    const rowOf = async (slot: string) => {
      const names = await page.locator('th').allTextContents();
      const cells = await page.locator(`tr:has(td:text-is("${slot}")) td`).allTextContents();
      return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    };
    await expect.poll(() => rowOf('top')).toMatchObject({ state: 'filled', because: '' });
    expect(await rowOf('far')).toMatchObject({ state: 'waiting', because: 'far from the viewport' });
    await page.getByText(/delivered: 1 · rendered: 1 · .*clicks: 0$/).waitFor();
    await page.getByRole('button', { name: 'Close' }).focus();
    // Rendered again twice a second, without taking the focus from the button.
    await page.waitForTimeout(1200);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('th').count()).toBe(0);
  });
});
