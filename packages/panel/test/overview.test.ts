import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const [TEA = '', COFFEE = ''] = NEWS.ads.map(({ id }) => id);
const DAY = 86_400_000;

describe('the overview', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  const now = Date.parse('2026-11-22T12:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    const campaigns = ['spring', 'summer'].map((id) => ({ id, sponsor: 'Leaves & Co', name: id }));
    await panel.store.importBlogs([{ ...NEWS, campaigns }], now);
    session = await panel.session(MANAGER);
    const deliver = async (ad: string, campaign: string, slots: number, at: number) => {
      const delivery = { slots: [{ candidates: [ad] }], campaigns: new Map([[ad, campaign]]) };
      for (let count = 0; count < slots; count += 1) await panel.store.deliver('news', delivery, at);
    };
    // Half of the usual traffic arrives before noon: the mean of 400 and nothing, in the hour before noon a week ago
    // and today.
    await deliver(TEA, 'spring', 400, now - 7 * DAY - 1);
    await deliver(TEA, 'spring', 200, now - 7 * DAY + DAY / 4);
    await deliver(TEA, 'spring', 199, now);
    await deliver(COFFEE, 'summer', 100, now);
  });
  afterAll(() => panel?.close());

  const page = async (path: string) => (await panel.ask(session, path)).text();

  it('today is compared with the same hours of an earlier day, and any other day with a whole day', async () => {
    const html = await page('/panel/news?period=today');
    expect(html).toMatch(/vs\. 300/);
    expect(html).toContain('Today is compared with the same hours');
    expect(html).toContain('11:00 AM: 0 requests, a week earlier 400');
    expect(html).toContain('12:00 PM: 299 requests so far, a week earlier 0');
    const before = await page('/panel/news?from=2026-11-15&to=2026-11-15');
    expect(before).toMatch(/<span class="value"[^>]*>600<\/span>/);
    expect(before).not.toContain('same hours');
    expect(before).not.toContain('<svg class="chart');
  });

  it('a change that rounds to 0 % is shown neither as a rise nor as a fall', async () => {
    expect(await page('/panel/news?period=today')).toMatch(/<span>0%<\/span> vs\. 300/);
  });

  it('a change based on few events has no color, and an unknown rate is a dash', async () => {
    const change = (html: string) => [...html.matchAll(/<span class="(up|down)">([^<]*)/g)].map((found) => found[2]);
    expect(change(await page('/panel/news?from=2026-11-22&to=2026-11-22&ad=none'))).toEqual([]);
    const html = await page('/panel/news?from=2026-11-20&to=2026-11-20');
    expect(html).toMatch(/data-live="total-ctr">–</);
    expect(html).toMatch(/data-live="total-fill">–</);
    await panel.store.deliver('news', { slots: [{ candidates: [TEA] }] }, now - 10 * DAY);
    expect(await page('/panel/news?from=2026-11-19&to=2026-11-19')).toMatch(/<span>−100%<\/span> vs\. 1</);
  });

  it('pages and their figures are sent compressed', async () => {
    for (const path of ['/panel/news', '/panel/news/live.json', '/panel/news/days.csv', '/panel/nothing']) {
      const { headers } = await panel.ask(session, path);
      expect([path, headers.get('content-encoding')]).toEqual([path, 'gzip']);
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  it('there are six tabs, and the last one leads to the pages of settings', async () => {
    const linksIn = (html: string, name: string) => {
      const nav = new RegExp(`<nav[^>]* aria-label="${name}"[^>]*>(.*?)</nav>`, 's').exec(html)?.[1] ?? '';
      return [...nav.matchAll(/<a href="[^"]*"( aria-current="\w+")?>([^<]*)/g)].map(
        ([, current = '', text]) => text + current,
      );
    };
    const overview = await page('/panel/news');
    const tabs = ['Ads', 'Campaigns', 'Posts', 'Embed'];
    expect(linksIn(overview, 'Blog')).toEqual(['Overview aria-current="page"', ...tabs, 'Settings']);
    expect(linksIn(overview, 'Settings')).toEqual([]);
    const keys = await page('/panel/news/keys');
    expect(linksIn(keys, 'Blog')).toEqual(['Overview', ...tabs, 'Settings aria-current="true"']);
    const others = ['Webhooks', 'Import', 'Recycle bin'];
    expect(linksIn(keys, 'Settings')).toEqual(['General', 'Keys aria-current="page"', ...others]);
  });

  it('excluded impressions are shown beside the valid ones, with their reasons', async () => {
    expect(await page('/panel/news?period=today')).not.toContain('not counted');
    const at = now - 2 * DAY;
    for (const [ad, campaign, traffic] of [
      [TEA, 'spring', 'bot'],
      [TEA, 'spring', 'bot'],
      [COFFEE, 'summer', 'burst'],
    ] as const) {
      const delivery = { slots: [{ candidates: [ad] }], campaigns: new Map([[ad, campaign]]), traffic };
      await panel.store.deliver('news', delivery, at);
    }
    const html = await page('/panel/news?period=7');
    expect(html).toContain('>+3 not counted</span>');
    expect(html).toContain(
      'Not counted: 2 to crawlers and tools, 1 to visitors with more than 60 requests in a minute.',
    );
    expect(await page('/panel/news?period=7&campaign=spring')).toContain('Not counted: 2 to crawlers and tools.');
    const live = await (await panel.ask(session, '/panel/news/live.json?period=7')).json();
    expect(live).toMatchObject({ 'total-excluded': '+3 not counted' });
  });

  it('the table by day has the valid and the viewable impressions', async () => {
    const html = await page('/panel/news?period=today');
    const table = /Figures by day<\/caption>([\s\S]*?)<\/table>/.exec(html)?.[1] ?? '';
    expect([...table.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
      ...['Day', 'Impressions', 'Delivered', 'Viewable', 'Clicks', 'CTR', 'Previous impressions'],
    ]);
    // No page has reported a viewable ad.
    expect([...table.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell).slice(0, 3)).toEqual(['299', '299', '–']);
  });

  it('today and yesterday are days in the time zone of the blog, which the page names', async () => {
    expect(await page('/panel/news')).toContain('Dates and times are in UTC.');
    for (const path of ['blogs', 'news/embed', 'news/import', 'news/settings']) {
      expect(await page(`/panel/${path}`), path).not.toContain('Dates and times are');
    }
    // The last moment of 22 November in Auckland was at 11:00 UTC.
    await panel.store.setTimeZone('news', 'Pacific/Auckland');
    const periodOf = async (preset: string) => {
      const html = await page(`/panel/news?period=${preset}`);
      expect(html).toContain('Dates and times are in Pacific/Auckland.');
      return / name="from" value="([^"]*)"/.exec(html)?.[1];
    };
    expect([await periodOf('today'), await periodOf('yesterday')]).toEqual(['2026-11-23', '2026-11-22']);
    await panel.store.setTimeZone('news', 'UTC');
    expect(await page('/panel/news?period=today')).toContain(' name="from" value="2026-11-22"');
  });

  it('the time zone is set on the page of settings, which offers the known ones', async () => {
    const set = (timeZone: string) => panel.ask(session, '/panel/news/blogs.time-zone', { form: { timeZone } });
    const refused = await set('Berlin');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('is not a time zone; expected a name such as Europe/Berlin');
    expect((await set(' Europe/Berlin ')).status).toBe(303);
    const html = await page('/panel/news/settings');
    expect(html).toMatch(/value="Europe\/Berlin"[^>]* name="timeZone"/);
    expect(html).toContain('<option value="Europe/Paris">');
    expect(await page('/panel/log')).toContain('changed the time zone from UTC to Europe/Berlin');
  });

  it('the figures are updated from a small file with the values that the page shows', async () => {
    const ads = Array.from({ length: 300 }, (_, index) => ({
      id: `3f2504e0-4f89-41d3-9a0c-${String(index).padStart(12, '0')}`,
      format: 'SIDEBAR' as const,
      title: `Ad ${index}`,
    }));
    await panel.store.importBlogs([{ id: 'many', name: 'Many', ads }], now);
    const slots = ads.map(({ id }) => ({ placement: id.slice(-4), candidates: [id] }));
    for (let count = 0; count < 2; count += 1) await panel.store.deliver('many', { slots }, now);
    for (const query of ['?period=today', '?period=today&by=-placement&sort=ad', '?period=7d&metric=clicks']) {
      for (const blog of ['news', 'many']) {
        const html = await page(`/panel/${blog}${query}`);
        const shown = [...html.matchAll(/ d="([^"]*)" data-live="([^"]*)"/g)].map(([, path, id]) => [id, path]);
        const texts = [...html.matchAll(/data-live="([^"]*)">([^<]+)</g)].map(([, id, text]) => [id, text]);
        const values = Object.fromEntries(
          [...shown, ...texts].map(([id, value]) => [id?.replace('&amp;', '&'), value]),
        );
        const json = await page(`/panel/${blog}/live.json${query}`);
        expect(JSON.parse(json)).toMatchObject(values);
        expect(Object.keys(values).length).toBeGreaterThan(20);
        expect(json.length).toBeLessThan(100_000);
      }
    }
    expect(await page('/panel/many')).toContain('The first 100 of 300; the CSV file has all.');
    expect((await page('/panel/many/ads.csv')).split('\r\n')).toHaveLength(302);
  });

  it('the figures of a sponsor include all its campaigns', async () => {
    const html = await page('/panel/news?period=today');
    expect(html).toMatch(/sponsor-Leaves &amp; Co-impressions">299</);
    expect(html).toContain('sponsor=Leaves+%26+Co');
    expect(await page('/panel/news/sponsors.csv?period=today')).toContain('"Leaves & Co",299,0,0,299,,\r\n');
  });
});
