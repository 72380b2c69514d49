import { expect, test } from 'vitest';
import { openStore } from '../open-store.ts';
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
  expect(await readStats(store, 'news', second)).toEqual({
    blog: 'news',
    ads: [
      { id: a, format: 'BANNER', title: '1', impressions: 4, clicks: 1, ctr: 1 / 4 },
      { id: b, format: 'BANNER', title: '2', impressions: 1, clicks: 0, ctr: 0 },
    ],
    campaigns: [],
    excluded: [],
    unknown: [],
    placements: [
      { placement: 'top', asked: 5, impressions: 3, fill: 3 / 5, clicks: 1, ctr: 1 / 3 },
      { placement: 'side', asked: 1, impressions: 1, fill: 1, clicks: 0, ctr: 0 },
    ],
    days: [
      { day: '2026-11-21', adId: a, impressions: 2, excluded: 0, viewable: 0, clicks: 0 },
      { day: '2026-11-21', adId: b, impressions: 1, excluded: 0, viewable: 0, clicks: 0 },
      { day: '2026-11-22', adId: a, impressions: 2, excluded: 0, viewable: 0, clicks: 1 },
    ],
  });
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
