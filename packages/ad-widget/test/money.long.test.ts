import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { setViewport } from '../../../tools/testing/browsers.ts';
import { describeInEach } from '../../../tools/testing/stage.ts';
import { deliveredMarkup } from '../src/frameworks/server.ts';
import { adLink } from './site/ad-link.ts';
import { KEY } from './site/api.ts';
import { useSites } from './site/sites.ts';

const require = createRequire(import.meta.url);
const slot = (name: string, more = '') => `<broadsheet-slot name="${name}" format="BANNER" ${more}></broadsheet-slot>`;
const POPUP = '<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>';
const MINUTES_11 = 660_000;
const sent = (slotId: string) =>
  deliveredMarkup([
    { slotId, format: 'BANNER', filled: true, id: 'sent', title: 'Sent', clickToken: `sent-${slotId}` },
  ]);

describeInEach('no ad is requested twice, and no click is lost', (stage) => {
  const sites = useSites({ 'turbo.js': readFileSync(require.resolve('@hotwired/turbo'), 'utf8') });

  beforeEach(() => {
    const { api, page } = sites;
    api.requests.length = api.clicks.length = api.delivered = 0;
    api.unavailable = api.refuseOrigin = undefined;
    api.lost = api.idempotent = false;
    api.keys.length = 0;
    api.respond = () => ({});
    page.later = '';
  });

  const open = async (body: string, attributes = '', prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
    sites.page.html = `${sites.head(attributes)}<body style="margin: 0">${body}`;
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await setViewport(page, { width: 1000, height: 800 });
    await prepare?.(page);
    await page.goto(sites.publisher.url);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    return page;
  };
  const stats = (page: Page) =>
    page.evaluate(() => JSON.parse(JSON.stringify(window.broadsheet?.clients?.[0]?.stats())));
  const deliveries = () => sites.api.requests.filter((request) => request === 'POST /public/ads/formats').length;
  const clickPosts = () => sites.api.requests.filter((request) => request === 'POST /public/ads/tracking/click').length;
  const stays = (page: Page, time = 1500) =>
    page.evaluate((wait) => new Promise((resolve) => setTimeout(resolve, wait)), time);
  /** Lets a test move the page's clock forward: `leap = 660000`. */
  const withClock = (page: Page) =>
    page.evaluateOnNewDocument(() => {
      const now = Date.now;
      Object.assign(window, { leap: 0 });
      Date.now = () => now() + (window as unknown as { leap: number }).leap;
    });
  const leap = (page: Page, by: number) =>
    page.evaluate((time) => {
      (window as unknown as { leap: number }).leap += time;
    }, by);
  /** A minute in the page's time takes a second. */
  const withFastTimers = (page: Page) =>
    page.evaluateOnNewDocument(() => {
      const original = window.setTimeout;
      Object.assign(window, {
        setTimeout: (run: () => void, time = 0) => original(run, time > 1000 ? time / 60 : time),
      });
    });
  /** Opens something over the whole page, now or on an event: an element, one in a shadow root, or a modal dialog. */
  const cover = (page: Page, kind = '', on = '') =>
    page.evaluate(
      (what, type) => {
        const show = (): void => {
          const overlay = document.body.appendChild(document.createElement(what === 'dialog' ? what : 'div'));
          overlay.id = 'overlay';
          if (overlay instanceof HTMLDialogElement) {
            overlay.showModal();
            return;
          }
          const parent = what === 'shadow' ? overlay.attachShadow({ mode: 'open' }) : overlay;
          const sheet = parent.appendChild(document.createElement('div'));
          sheet.style.cssText = 'position: fixed; inset: 0; background: #fff';
        };
        if (type) document.addEventListener(type, show, { once: true });
        else show();
      },
      kind,
      on,
    );
  const uncover = (page: Page) => page.evaluate(() => document.querySelector('#overlay')?.remove());
  const act = (page: Page) => page.evaluate(() => window.dispatchEvent(new PointerEvent('pointerdown')));

  test('delivered ads are used when their markup arrives after the script, even if the clock is wrong', async () => {
    sites.page.later = sent('top');
    const page = await open(`<p>Words</p>${slot('top')}`, '', (opened) =>
      opened.evaluateOnNewDocument(() => {
        const now = Date.now;
        Date.now = () => now() + 540_000;
      }),
    );
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    await stays(page);
    expect(deliveries()).toBe(0);
  });

  test('delivered ads in a body that is inserted later are used', async () => {
    const page = await open(slot('one') + sent('one'));
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    await page.evaluate((body) => {
      const next = document.createElement('body');
      next.innerHTML = body;
      document.body.replaceWith(next);
    }, slot('two') + sent('two'));
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 2 });
    await stays(page);
    expect(deliveries()).toBe(0);
  });

  test('a rotation of 30 days and a Retry-After of 25 days do not overflow', async () => {
    const page = await open(slot('a', 'refresh="2592000"'));
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    await stays(page);
    expect(deliveries()).toBe(1);
    sites.api.unavailable = { retryAfter: '2160000' };
    const other = await open(slot('a'));
    await expect.poll(() => stats(other)).toMatchObject({ failed: 1 });
    await stays(other);
    expect(deliveries()).toBe(2);
  });

  test('a popup that is removed before it is shown does not count towards the cap', async () => {
    const page = await open(`<p>Words.</p>${POPUP}`);
    // An earlier attempt may have shown this reader a popup.
    await page.evaluate(() => localStorage.clear());
    await stays(page, 500);
    await act(page);
    await page.evaluate(() => document.querySelector('broadsheet-slot')?.remove());
    await stays(page);
    expect(sites.api.delivered).toBe(0);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await page.evaluate((popup) => document.body.insertAdjacentHTML('beforeend', popup), POPUP);
    await expect.poll(() => act(page).then(() => sites.api.delivered), { interval: 1500, timeout: 20_000 }).toBe(1);
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual(['broadsheet:popup']);
  });

  test('a popup inside a transformed ancestor opens in the window', async () => {
    const page = await open(`<div style="transform: translateY(3000px); height: 10px">${POPUP}</div>`);
    await page.evaluate(() => localStorage.clear());
    await expect.poll(() => act(page).then(() => sites.api.delivered), { interval: 1500, timeout: 20_000 }).toBe(1);
    const card = () =>
      page.evaluate(() => {
        const found = document.querySelector('broadsheet-slot')?.shadowRoot?.querySelector('.ad');
        return found ? innerHeight - found.getBoundingClientRect().bottom : undefined;
      });
    await expect.poll(card).toBeCloseTo(16, 0);
    await page.evaluate(() => localStorage.clear());
  });

  test('an idle tab requests no second ad', async () => {
    const page = await open(`${slot('a')}<p style="height: 4000px"></p>`, '', withClock);
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    // Moves the slot as a carousel does.
    const turn = (offset: string) =>
      page.evaluate(
        (margin) => document.querySelector<HTMLElement>('broadsheet-slot')?.style.setProperty('margin-top', margin),
        offset,
      );
    for (let time = 0; time < 3; time++) {
      await leap(page, MINUTES_11);
      await turn('-2000px');
      await stays(page, 300);
      await turn('0');
      await stays(page, 300);
    }
    expect(deliveries()).toBe(1);
    await act(page);
    await turn('-2000px');
    await stays(page, 300);
    await turn('0');
    await expect.poll(deliveries).toBe(2);
  });

  test('li, figure and td get a child with the shadow root; nothing is requested for other hosts without one', async () => {
    const hosts = ['li', 'figure', 'a']
      .map((tag) => `<${tag} data-broadsheet-slot="${tag}" data-format="BANNER" style="display: block"></${tag}>`)
      .join('');
    const page = await open(`${hosts}<table><tr><td data-broadsheet-slot="td" data-format="BANNER"></td></tr></table>`);
    await expect.poll(() => stats(page)).toMatchObject({ requested: 3, rendered: 3, failed: 1 });
    expect(
      await page.evaluate(() => document.querySelector('li div')?.shadowRoot?.querySelector('.title')?.textContent),
    ).toBe('An ad');
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.destroy());
    expect(await page.evaluate(() => document.querySelectorAll('li *').length)).toBe(0);
  });

  test('a browser without constructed style sheets requests nothing', async () => {
    const page = await open(slot('a'), '', (opened) =>
      opened.evaluateOnNewDocument(() => {
        Object.assign(window, {
          CSSStyleSheet: class {
            constructor() {
              throw new TypeError('Illegal constructor');
            }
          },
        });
      }),
    );
    await expect.poll(() => stats(page)).toMatchObject({ failed: 1 });
    expect(deliveries()).toBe(0);
  });

  test('a click made offline is confirmed within five seconds after the page is online, and reported', async () => {
    const page = await open(slot('a'));
    const link = await adLink(page);
    await page.setOfflineMode(true);
    await link.click();
    await page.bringToFront();
    await expect.poll(async () => (await stats(page)).clicks).toMatchObject({ posted: 1, confirmed: 0 });
    await stays(page, 2000);
    expect(sites.api.clicks).toEqual([]);
    await page.setOfflineMode(false);
    await expect
      .poll(async () => (await stats(page)).clicks, { timeout: 5000 })
      .toMatchObject({ posted: 1, confirmed: 1, unsent: 0 });
    expect(sites.api.clicks).toHaveLength(1);
  });

  test('a click waits for a page with the key that delivered its ad, even after a 401', async () => {
    const page = await open(slot('a'));
    const link = await adLink(page);
    sites.api.unavailable = {};
    await link.click();
    await page.bringToFront();
    await expect.poll(async () => (await stats(page)).clicks.unsent).toBe(1);
    sites.api.unavailable = undefined;
    const before = clickPosts();
    sites.page.html = sites.page.html.replace(KEY, 'of-another-blog');
    await page.goto(`${sites.publisher.url}/other`);
    await page.waitForFunction(() => window.broadsheet?.clients?.length);
    await stays(page, 2000);
    expect(clickPosts()).toBe(before);
    sites.page.html = sites.page.html.replace('of-another-blog', KEY);
    await page.goto(`${sites.publisher.url}/again`);
    await expect.poll(() => sites.api.clicks.length).toBe(1);
  });

  test('tickers elsewhere in the page do not delay requests', async () => {
    const ticker = '<div class="ticker" style="height: 20px; overflow: auto"><p style="height: 90000px"></p></div>';
    const page = await open(`${ticker}${ticker}<main></main><script>
setInterval(() => { for (const ticker of document.querySelectorAll('.ticker')) ticker.scrollTop += 3 }, 30);</script>`);
    await stays(page, 500);
    await page.evaluate((html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html), slot('a'));
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
  });

  test('a delivery without a response is never repeated', async () => {
    sites.api.lost = true;
    const page = await open(slot('a'));
    await expect.poll(() => stats(page)).toMatchObject({ failed: 1 });
    // Chromium itself repeats a request once when a reused connection breaks.
    const counted = deliveries();
    sites.api.lost = false;
    await stays(page, 6500);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await stays(page, 500);
    expect(deliveries()).toBe(counted);
  });

  test('no rejection reaches the page, even when the server of the on-demand file is also down', async () => {
    const page = await stage.browser.newPage();
    onTestFinished(() => page.close());
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('on-demand.js')) void request.abort();
      else void request.continue();
    });
    sites.api.unavailable = {};
    sites.page.html = `${sites.head()}<script>window.rejected = [];
addEventListener('unhandledrejection', ({ reason }) => rejected.push(String(reason)));</script><body>${slot('a')}`;
    await page.goto(sites.publisher.url);
    await expect.poll(() => stats(page)).toMatchObject({ failed: 1 });
    expect(await page.evaluate(() => (window as unknown as { rejected: string[] }).rejected)).toEqual([]);
  });

  describe('with Turbo', () => {
    const TURBO = '<script src="/turbo.js" data-turbo-eval="false"></script>';
    /** Goes to another page of the site, or back, and waits until Turbo has rendered it. */
    const visit = (page: Page, path: string) =>
      page.evaluate(async (target) => {
        const loaded = new Promise((resolve) => addEventListener('turbo:load', resolve, { once: true }));
        if (target === 'back') history.back();
        else (window as unknown as { Turbo: { visit(path: string): void } }).Turbo.visit(target);
        await loaded;
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      }, path);

    test('a slot with data-turbo-permanent keeps its ad', async () => {
      const page = await open(`${TURBO}<p>Words</p>${slot('a', 'id="a" data-turbo-permanent')}`);
      await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
      for (const path of ['/one', '/two', '/three', 'back', '/four']) await visit(page, path);
      expect(await stats(page)).toMatchObject({ requested: 1, rendered: 1 });
      const link = () => page.evaluate(() => document.querySelector('#a')?.shadowRoot?.querySelector('a')?.href);
      expect(await link()).toBeTruthy();
    });

    test('ads delivered with each page are used, and none is requested', async () => {
      const html = (token: string) => `${TURBO}<p>Words</p>${slot(token)}${sent(token)}`;
      const page = await open(html('first'));
      await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
      for (const [index, token] of ['second', 'third', 'fourth'].entries()) {
        sites.page.html = sites.page.html.replace(/<body.*/s, `<body>${html(token)}`);
        await visit(page, `/${token}`);
        await expect.poll(() => stats(page)).toMatchObject({ rendered: index + 2 });
      }
      expect(deliveries()).toBe(0);
    });
  });

  test('refresh waits while an overlay covers the slot', async () => {
    const page = await open(slot('a', 'refresh="30"'), '', withFastTimers);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    await cover(page);
    // Two minutes in the page's time.
    await stays(page, 120_000);
    expect(deliveries()).toBe(1);
    await uncover(page);
    await expect.poll(deliveries).toBe(2);
  });

  test.each([
    ['an element over the whole page', ''],
    ['a modal dialog', 'dialog'],
    ['an element in a shadow root', 'shadow'],
  ])('no ad is requested behind %s, and an ad that it covers is not viewable', async (_, kind) => {
    const page = await open(`<main>${slot('a')}</main>`, 'data-consent="wait"');
    await cover(page, kind);
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(true));
    await stays(page);
    expect(deliveries()).toBe(0);
    await cover(page, kind, 'broadsheet:filled');
    await uncover(page);
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    await stays(page, 2500);
    expect(await stats(page)).toMatchObject({ viewable: 0 });
    await uncover(page);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
  });

  test('behind a modal dialog, no ad is requested for a slot below the window, but one is for a slot in the dialog', async () => {
    const dialog = `<dialog id="overlay">${slot('inside')}</dialog><script>document.querySelector('dialog').showModal()</script>`;
    const page = await open(`<p style="height: 850px"></p>${slot('below')}${dialog}`);
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
    await stays(page);
    expect(deliveries()).toBe(1);
    await page.evaluate(() => document.querySelector('dialog')?.close());
    await expect.poll(deliveries).toBe(2);
  });

  test('an ad with pointer-events: none and an ad in a list item are viewable and refreshed', async () => {
    const page = await open(
      `<div style="pointer-events: none">${slot('a', 'refresh="30"')}</div>
<ul><li data-broadsheet-slot="b" data-format="BANNER" data-refresh="30"></li></ul>`,
      '',
      withFastTimers,
    );
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 2 });
    await expect.poll(() => stats(page)).toMatchObject({ requested: 4, rendered: 4 });
  });

  test('a click while consent is withdrawn posts nothing', async () => {
    const page = await open(slot('a'));
    const link = await adLink(page);
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(false));
    await link.click();
    await page.bringToFront();
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.consent(true));
    await link.click();
    await expect.poll(clickPosts).toBe(1);
    expect((await stats(page)).clicks).toMatchObject({ posted: 1 });
  });

  test("an ad takes the page's font and colours, and none of its text transforms", async () => {
    const around =
      'text-transform: uppercase; letter-spacing: 9px; word-spacing: 9px; text-indent: 4em; text-align: center; white-space: nowrap; font: italic bold 40px/3 monospace; color-scheme: dark';
    const page = await open(
      `<style>* { letter-spacing: 3px }</style><div style="${around}">${slot('a', 'style="--broadsheet-ink: rgb(1, 2, 3)"')}</div>`,
    );
    await adLink(page);
    const style = await page.evaluate(() => {
      const title = document.querySelector('broadsheet-slot')?.shadowRoot?.querySelector('.content');
      const { textTransform, letterSpacing, wordSpacing, textIndent, textAlign, whiteSpace, fontFamily, fontStyle } =
        getComputedStyle(title ?? document.body);
      const { fontSize, color } = getComputedStyle(title ?? document.body);
      return {
        textTransform,
        letterSpacing,
        wordSpacing,
        textIndent,
        textAlign,
        whiteSpace,
        fontFamily,
        fontStyle,
        fontSize,
        color,
      };
    });
    expect(style).toEqual({
      textTransform: 'none',
      letterSpacing: 'normal',
      wordSpacing: '0px',
      textIndent: '0px',
      textAlign: 'start',
      whiteSpace: 'normal',
      fontFamily: 'monospace',
      fontStyle: 'normal',
      // 90 % of the maximum text size that a slot adopts from the surrounding text.
      fontSize: '18px',
      color: 'rgb(1, 2, 3)',
    });
  });

  test("an ad follows the page's theme: data-theme, color-scheme, variables", async () => {
    const page = await open(`<style>:root { color-scheme: light; color: rgb(10, 20, 30) }
[data-theme=dark] { color-scheme: dark; color: rgb(200, 210, 220) }
[data-theme=own] { --broadsheet-paper: rgb(1, 2, 3); --broadsheet-ink: rgb(4, 5, 6); --broadsheet-accent: rgb(7, 8, 9) }
</style>${slot('a')}`);
    await adLink(page);
    const colours = (theme: string) =>
      page.evaluate((name) => {
        document.documentElement.dataset['theme'] = name;
        const root = document.querySelector('broadsheet-slot')?.shadowRoot;
        const of = (part: string) => getComputedStyle(root?.querySelector(part) ?? document.body);
        return { paper: of('.ad').backgroundColor, ink: of('.title').color, accent: of('.action').color };
      }, theme);
    const light = await colours('light');
    const dark = await colours('dark');
    expect(light).toMatchObject({ ink: 'rgb(10, 20, 30)', accent: 'rgb(10, 20, 30)' });
    expect(dark).toMatchObject({ ink: 'rgb(200, 210, 220)', accent: 'rgb(200, 210, 220)' });
    // A tint of the text.
    expect(dark.paper).not.toBe(light.paper);
    expect(await colours('own')).toEqual({ paper: 'rgb(1, 2, 3)', ink: 'rgb(4, 5, 6)', accent: 'rgb(7, 8, 9)' });
  });

  test('refresh keeps an ad that nobody has seen', async () => {
    const page = await open(slot('a'));
    await adLink(page);
    await page.evaluate(() => {
      window.broadsheet?.clients?.[0]?.refresh();
    });
    await stays(page, 300);
    expect(deliveries()).toBe(1);
    await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.refresh());
    await expect.poll(deliveries).toBe(2);
  });

  test('a click that receives Retry-After waits that long', async () => {
    const page = await open(slot('a'));
    const link = await adLink(page);
    sites.api.unavailable = { retryAfter: '30' };
    await link.click();
    await page.bringToFront();
    await expect.poll(async () => (await stats(page)).clicks.unsent).toBe(1);
    await stays(page, 1000);
    expect(clickPosts()).toBe(1);
  });

  test('every client finds its slots in shadow roots', async () => {
    const second = sites.head('data-client="b"').split('\n').at(-1) ?? '';
    const page = await open(`${second}<section></section>`);
    await page.waitForFunction(() => window.broadsheet?.clients?.length === 2);
    await page.evaluate((html) => {
      const root = document.querySelector('section')?.attachShadow({ mode: 'open' });
      root?.setHTMLUnsafe?.(html);
      if (root && !root.firstChild) root.innerHTML = html;
    }, slot('a') + slot('b', 'client="b"'));
    await expect.poll(deliveries).toBe(2);
  });

  test('an empty slot above the reader does not move the text without scroll anchoring', async () => {
    sites.api.respond = () => ({ filled: false });
    const page = await open(
      `<style>html { overflow-anchor: none }</style><p style="height: 100px"></p>${slot('a')}<p style="height: 5000px">Words</p>`,
    );
    await expect.poll(() => stats(page)).toMatchObject({ empty: 1 });
    await page.evaluate(() => scrollTo(0, 1000));
    const top = () => page.evaluate(() => document.querySelectorAll('p')[1]?.getBoundingClientRect().top);
    const before = await top();
    await stays(page);
    expect(await top()).toBe(before);
  });

  test('two slots without a name keep the same two placements over twelve routes', async () => {
    const names = new Set<string>();
    sites.api.respond = ({ slotId }) => {
      names.add(slotId);
      return {};
    };
    const unnamed = '<broadsheet-slot format="BANNER"></broadsheet-slot>'.repeat(2);
    const page = await open(`<main>${unnamed}</main>`);
    for (let route = 1; route <= 12; route++) {
      await expect.poll(async () => (await stats(page)).rendered).toBeGreaterThanOrEqual(2 * route);
      await expect.poll(() => stats(page)).toMatchObject({ viewable: 2 * route });
      await page.evaluate((html) => {
        const main = document.querySelector('main');
        if (main) main.innerHTML = html;
      }, unnamed);
    }
    expect([...names].sort()).toEqual(['slot-1', 'slot-2']);
  });

  test('destroy during a delivery leaves the slot as it was', async () => {
    sites.api.respond = () => ({ filled: false });
    sites.api.preflight = 300;
    const page = await open(slot('a'));
    await expect.poll(() => sites.api.requests.length).toBeGreaterThan(0);
    await page.evaluate(() => window.broadsheet?.clients?.[0]?.destroy());
    sites.api.preflight = 0;
    await stays(page);
    expect(
      await page.evaluate(() => getComputedStyle(document.querySelector('broadsheet-slot') ?? document.body).display),
    ).toBe('block');
  });

  test('an element with the id of the queue, or a margin that is not a number, does not prevent ads', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [queue] = /^window\.broadsheet = .*;/m.exec(readme) ?? [];
    const page = await open(
      `<div id="broadsheet"></div><script>${queue}
window.broadsheet.push((ads) => ads.consent(true));</script>${slot('a')}`,
      'data-margin="x" data-dwell="y" data-consent="wait"',
    );
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
  });

  test('a rehearsal works where crypto.randomUUID is missing, as over plain http', async () => {
    const page = await open(slot('a'), 'data-mode="mock"', (opened) =>
      opened.evaluateOnNewDocument(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined })),
    );
    await expect.poll(() => stats(page)).toMatchObject({ rendered: 1 });
  });

  test.each(['broadsheet-slot name', 'div data-broadsheet-slot'])(
    'a reused <%s> takes its new name and format',
    async (markup) => {
      const asked: string[] = [];
      sites.api.respond = ({ slotId, format }) => {
        asked.push(`${slotId} ${format}`);
        return {};
      };
      const [tag = '', name = ''] = markup.split(' ');
      const format = tag === 'div' ? 'data-format' : 'format';
      const page = await open(`<${tag} id="host" ${name}="one" ${format}="BANNER"></${tag}>`);
      await expect.poll(() => stats(page)).toMatchObject({ viewable: 1 });
      await page.evaluate(
        (attribute, second) => {
          document.querySelector('#host')?.setAttribute(attribute, 'two');
          document.querySelector('#host')?.setAttribute(second, 'NATIVE');
        },
        name,
        format,
      );
      await expect.poll(() => asked).toEqual(['one BANNER', 'two NATIVE']);
    },
  );
});
