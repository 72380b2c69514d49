import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const [TEA = '', COFFEE = ''] = NEWS.ads.map(({ id }) => id);
const DAY = 86_400_000;

describeDatabases('the overview', (database) => {
  let panel: PanelServer;
  let session = '';
  const now = Date.parse('2026-11-22T12:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(database.url, { now: () => now });
    const campaigns = ['spring', 'summer'].map((id) => ({ id, sponsor: 'Leaves & Co', name: id }));
    await panel.store.importBlogs([{ ...NEWS, campaigns }], now);
    session = await panel.session(MANAGER);
    const deliver = async (ad: string, campaign: string, slots: number, at: number) => {
      const delivery = { slots: [{ candidates: [ad] }], campaigns: new Map([[ad, campaign]]) };
      for (let count = 0; count < slots; count += 1) await panel.store.deliver('news', delivery, at);
    };
    await deliver(TEA, 'spring', 300, now - 7 * DAY);
    await deliver(TEA, 'spring', 199, now);
    await deliver(COFFEE, 'summer', 100, now);
  });
  afterAll(() => panel?.close());

  const page = async (path: string) => (await panel.ask(session, path)).text();

  it('a change that rounds to 0 % is shown neither as a rise nor as a fall', async () => {
    expect(await page('/panel/news?period=today')).toMatch(/<span>0%<\/span> vs\. 300/);
  });

  it('the table by day has the valid and the viewable impressions', async () => {
    const html = await page('/panel/news?period=today');
    const table = /Figures by day<\/caption>([\s\S]*?)<\/table>/.exec(html)?.[1] ?? '';
    expect([...table.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
      ...['Day', 'Impressions', 'Valid', 'Viewable', 'Clicks', 'CTR', 'Previous impressions'],
    ]);
    // No page has reported a viewable ad.
    expect([...table.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell).slice(0, 3)).toEqual(['299', '299', '–']);
  });

  it('the figures of a sponsor are those of all its campaigns', async () => {
    const html = await page('/panel/news?period=today');
    expect(html).toMatch(/sponsor-Leaves &amp; Co-impressions">299</);
    expect(html).toContain('sponsor=Leaves+%26+Co');
    expect(await page('/panel/news/sponsors.csv?period=today')).toContain('Leaves & Co,299,0,0,299,,\r\n');
  });
});
