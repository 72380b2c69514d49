import { fromLocalTime } from '@broadsheet/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, type PanelServer, startPanel } from './panel-server.ts';

const HOUR = 3_600_000;

describe.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-30', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-26', 25],
  ['America/New_York', '2026-03-08', '2026-03-09', 23],
  ['America/New_York', '2026-11-01', '2026-11-02', 25],
  ['Asia/Kathmandu', '2026-11-01', '2026-11-02', 24],
])('the panel of a blog in %s on %s', (timeZone, day, next, hours) => {
  const folder = temporaryFolder();
  const start = fromLocalTime(`${day}T00:00`, timeZone);
  const midnight = start + hours * HOUR;
  let panel: PanelServer;
  let session = '';
  let now = start - HOUR;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    const posts = [{ id: 'p', title: 'P', slug: 'p', status: 'DRAFT' as const }];
    await panel.store.importBlogs([{ id: 'news', name: 'News', timeZone, posts }], now);
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async (path: string) => (await panel.ask(session, `/panel/news${path}`)).text();
  const text = async (path: string) => (await page(path)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const send = async (path: string, form: Record<string, string>) =>
    (await panel.ask(session, `/panel/news/${path}`, { form })).headers.get('location')?.split('?')[0] ?? '';
  const written = (date: string) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date));

  it('uses the same days in forms, lists, figures, files, the report and the schedule of posts', async () => {
    const dates = { startsAt: day, endsAt: next };
    const path = await send('campaigns.add', { sponsor: 'Tea', name: 'Days', pace: 'fast', perDay: '2', ...dates });
    const id = path.split('/').at(-1) ?? '';
    await send('ads.add', { format: 'BANNER', title: 'Tea', priority: '0', campaignId: id, ...dates });
    const [ad] = await panel.store.listAllAds('news');
    const ends = new Date(midnight + 24 * HOUR - 1).toISOString();
    expect([ad?.startsAt, ad?.endsAt]).toEqual([new Date(start).toISOString(), ends]);
    for (const form of [path.replace('/panel/news', ''), `/ads/${ad?.id}`, `/ads.add?copy=${ad?.id}`]) {
      expect(await page(form)).toMatch(new RegExp(`value="${day}" id="startsAt".*value="${next}" id="endsAt"`, 's'));
    }
    expect(await text('/ads')).toContain(`${written(day)} ${written(next)}`);
    const [month, date] = written(next).split(/[ ,]/);
    expect(await text('/campaigns')).toMatch(new RegExp(`starts on ${written(day).slice(0, 3)}`));

    const delivery = { slots: [{ candidates: [ad?.id ?? ''] }], campaigns: new Map([[ad?.id ?? '', id]]), timeZone };
    for (now of [start, midnight - 2, midnight - 1, midnight]) await panel.store.deliver('news', delivery, now);
    now = midnight - 1;
    expect(await page('/days.csv?period=today')).toContain(`"${day}",2,`);
    now = midnight + 24 * HOUR - 2;
    expect(await text('/campaigns')).toMatch(new RegExp(`running ends on ${month}\\w* ${date}`));
    const days = [`"${day}",2,0,0,2`, `"${next}",1,0,0,1`];
    expect((await page(`/days.csv?from=${day}&to=${next}`)).split('\r\n').slice(1, 3)).toEqual(
      days.map((row) => expect.stringContaining(row)),
    );
    expect((await text('')).match(new RegExp(`in ${timeZone}`, 'g'))).toHaveLength(1);

    const shared = await (await panel.ask(session, '/panel/news/campaigns.report', { form: { campaign: id } })).text();
    const [link = ''] = /https?:\/\/[^\s<]+\/report\/[\w-]+/.exec(shared) ?? [];
    const report = (await (await fetch(link)).text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(report).toContain(`${written(day)} to ${written(next)}`);
    expect(report).toContain(`As of ${written(next)}, 11:59 PM. Dates and times are in ${timeZone}.`);
    expect((await (await fetch(`${link}.csv`)).text()).split('\r\n').slice(1, 3)).toEqual([
      expect.stringContaining(`"${day}","Tea","BANNER",2`),
      expect.stringContaining(`"${next}","Tea","BANNER",1`),
    ]);

    await send('posts.publish', { post: 'p', at: `${next}T23:59` });
    const [post] = (await panel.store.listAllPosts('news', {}, { limit: 1, offset: 0 })).items;
    expect(post?.publishedAt ?? post?.scheduledAt).toBe(new Date(midnight + 24 * HOUR - 60_000).toISOString());
    expect(await text('/posts/p')).toContain(`${written(next)}, 11:59 PM`);
  });
});
