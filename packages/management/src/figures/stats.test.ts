import { openStore } from '@broadsheet/store/node';
import { expect, test } from 'vitest';
import { readCampaign } from './campaigns.ts';
import { readStats } from './stats.ts';

test('readStats adds up each ad, each placement with its empty slots, and each day', async () => {
  const store = await openStore('sqlite::memory:');
  const [a, b] = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
  const [first, second] = [Date.parse('2026-11-21T10:00:00Z'), Date.parse('2026-11-22T10:00:00Z')];
  const ads = [a, b].map((id) => ({ id, format: 'BANNER' as const, title: id.slice(-1) }));
  await store.importBlogs([{ id: 'news', name: 'News', ads }], first);
  const [top, side, empty] = [
    { candidates: [a], placement: 'top' },
    { candidates: [b], placement: 'side' },
    { candidates: [], placement: 'top' },
  ];
  await store.deliver('news', { slots: [top, side, empty, { candidates: [a] }] }, first);
  await store.deliver('news', { slots: [top, top, empty] }, second);
  const click = { tokenId: 't', tokenExpiresAt: second, visitor: undefined, at: second, repeatSince: 0 };
  await store.recordClick('news', { ...click, adId: a, placement: 'top' });
  const unseen = (impressions: number) => ({
    delivered: impressions,
    valid: impressions,
    viewable: 0,
    viewableRate: null,
  });
  expect(await readStats(store, 'news', second)).toEqual({
    blog: 'news',
    ads: [
      { id: a, format: 'BANNER', title: '1', impressions: 4, ...unseen(4), clicks: 1, ctr: 1 / 4 },
      { id: b, format: 'BANNER', title: '2', impressions: 1, ...unseen(1), clicks: 0, ctr: 0 },
    ],
    campaigns: [],
    excluded: [],
    unknown: [],
    placements: [
      { placement: 'top', requests: 5, impressions: 3, ...unseen(3), fill: 3 / 5, clicks: 1, ctr: 1 / 3 },
      { placement: 'side', requests: 1, impressions: 1, ...unseen(1), fill: 1, clicks: 0, ctr: 0 },
    ],
    days: [
      { day: '2026-11-21', adId: a, impressions: 2, ...unseen(2), clicks: 0, ctr: 0 },
      { day: '2026-11-21', adId: b, impressions: 1, ...unseen(1), clicks: 0, ctr: 0 },
      { day: '2026-11-22', adId: a, impressions: 2, ...unseen(2), clicks: 1, ctr: 1 / 2 },
    ],
  });
  await store.close();
});

test('readStats includes the valid and viewable impressions of each ad, campaign, placement and day', async () => {
  const store = await openStore('sqlite::memory:');
  const [a, b] = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
  const now = Date.parse('2026-11-21T10:00:00Z');
  const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring' }];
  const ads = [
    { id: a, format: 'BANNER' as const, campaignId: 'c' },
    { id: b, format: 'BANNER' as const },
  ];
  await store.importBlogs([{ id: 'news', name: 'News', campaigns, ads }], now);
  const slots = [
    { candidates: [a], placement: 'top' },
    { candidates: [b], placement: 'side' },
  ];
  for (const traffic of ['valid', 'unknown', 'bot', 'valid'] as const) {
    await store.deliver('news', { slots, campaigns: new Map([[a, 'c']]), traffic }, now);
  }
  const day = '2026-11-21';
  const viewable = { tokenId: 't', tokenExpiresAt: now, adId: a, campaignId: 'c', placement: 'top', day };
  await store.recordViewable('news', [viewable, { ...viewable, tokenId: 'u' }]);
  const stats = await readStats(store, 'news', now);
  const seen = { delivered: 4, valid: 3, viewable: 2, viewableRate: 2 / 3 };
  const unseen = { delivered: 4, valid: 3, viewable: 0, viewableRate: 0 };
  expect(stats.ads).toMatchObject([seen, unseen]);
  expect(stats.campaigns).toMatchObject([{ ...seen, impressions: 3 }]);
  expect(stats.placements).toMatchObject([
    { placement: 'side', ...unseen },
    { placement: 'top', ...seen },
  ]);
  expect(stats.days).toMatchObject([seen, unseen]);
  expect(await readCampaign(store, 'news', 'c', now)).toMatchObject({ ...seen, ads: [seen], days: [seen] });
  await store.close();
});

test('readStats names ads without a title and deleted ads', async () => {
  const store = await openStore('sqlite::memory:');
  const [image, gone] = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
  const now = Date.parse('2026-11-22T10:00:00Z');
  const ads = [
    { id: image, format: 'BANNER' as const, imageUrl: 'https://tea.example/summer.png?v=2' },
    { id: gone, format: 'BANNER' as const, title: 'Tea' },
  ];
  await store.importBlogs([{ id: 'news', name: 'News', ads }], now);
  await store.deliver('news', { slots: [image, gone, gone].map((id) => ({ candidates: [id] })) }, now);
  await store.deleteAd('news', gone, now);
  const names = async (at: number) => (await readStats(store, 'news', at)).ads.map(({ title }) => title);
  expect(await names(now)).toEqual(['summer.png', 'Tea']);
  expect(await names(now + 31 * 86_400_000)).toEqual(['summer.png', 'Deleted ad 3f2504e0']);
  const { ads: totals, days } = await readStats(store, 'news', now);
  const sum = (rows: readonly { impressions: number }[]) => rows.reduce((all, { impressions }) => all + impressions, 0);
  expect(sum(totals)).toBe(sum(days));
  await store.close();
});

test('viewable rates are computed from the days on which pages reported viewable ads', async () => {
  const store = await openStore('sqlite::memory:');
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const [first, second] = [Date.parse('2026-11-21T10:00:00Z'), Date.parse('2026-11-22T10:00:00Z')];
  const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring' }];
  const ads = [{ id, format: 'BANNER' as const, campaignId: 'c' }];
  await store.importBlogs([{ id: 'news', name: 'News', campaigns, ads }], first);
  const slot = { candidates: [id], placement: 'top' };
  const delivery = { slots: [slot, slot], campaigns: undefined };
  for (let count = 0; count < 50; count += 1) await store.deliver('news', delivery, first);
  await store.deliver('news', delivery, second);
  const view = { tokenId: 't', tokenExpiresAt: second, adId: id, placement: 'top', day: '2026-11-22' };
  await store.recordViewable('news', [view]);
  const stats = await readStats(store, 'news', second);
  expect(stats.ads).toMatchObject([{ valid: 102, viewable: 1, viewableRate: 1 / 2 }]);
  expect(stats.placements).toMatchObject([{ viewableRate: 1 / 2 }]);
  expect(stats.days.map(({ viewableRate }) => viewableRate)).toEqual([null, 1 / 2]);
  expect((await readCampaign(store, 'news', 'c', second)).viewableRate).toBeNull();
  await store.close();
});
