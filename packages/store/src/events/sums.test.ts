import type { DayCount } from '@broadsheet/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../../test/open-store.ts';
import type { SqlStore } from '../sql-store.ts';
import type { SumsQuery } from './sums.ts';

const DAY = 86_400_000;
const ads = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
const query: SumsQuery = {
  days: { from: '2026-11-09', to: '2026-11-10' },
  before: { from: '2026-11-02', to: '2026-11-03' },
};

type Counted = Omit<DayCount, 'adId'>;
const rest = ({ excluded, viewable, clicks }: Omit<Counted, 'day' | 'impressions'>) =>
  `${excluded} ${viewable} ${clicks}`;

describeDatabases('sums', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    for (const id of ['news', 'other']) await store.importBlogs([{ id, name: id }], 0);
    // Every day of two weeks has different counts, so an error at the edge of a range changes a sum.
    for (let day = 0; day < 14; day++) {
      const at = Date.parse('2026-10-30T12:00:00Z') + day * DAY;
      for (const [number, adId] of ads.entries()) {
        await store.deliver(
          'news',
          { slots: Array(day + number + 1).fill({ candidates: [adId], placement: 'top' }) },
          at,
        );
        await store.deliver('news', { slots: Array(2 ** day % 11).fill({ candidates: [adId] }) }, at);
        const times = { at, tokenExpiresAt: at + 1, repeatSince: at - 1 };
        const click = { adId, visitor: 'somebody', tokenId: `${day} ${number}`, ...times };
        await store.recordClick('news', number === 0 ? { ...click, placement: 'top' } : click);
        const slots = Array(day % 5).fill({ candidates: [adId], placement: 'top' });
        for (const traffic of ['bot', 'burst', 'unknown'] as const) await store.deliver('news', { slots, traffic }, at);
        const viewable = Array.from({ length: (day % 3) + number }, (_, index) => ({
          ...{ tokenId: `${day} ${number} ${index}`, tokenExpiresAt: at, adId, deliveredAt: at },
          ...(index % 2 ? {} : { placement: 'top' }),
        }));
        await store.recordViewable('news', viewable);
      }
      await store.deliver(
        'news',
        { slots: Array(day + 1).fill({ candidates: [], placement: day % 2 ? 'top' : 'side' }) },
        at,
      );
      await store.deliver('other', { slots: Array(1000).fill({ candidates: [ads[0]], placement: 'top' }) }, at);
    }
  });
  afterAll(() => store?.close());

  /** The same sums, computed row by row. */
  async function addedUp({ days, before, adId, placement }: SumsQuery) {
    const within = ({ day }: { day: string }, { from, to }: SumsQuery['days']) => day >= from && day <= to;
    const inTime = <Row extends { day: string }>(rows: readonly Row[]) =>
      rows.filter((row) => within(row, days) || within(row, before));
    const slots = inTime(await store.countsByPlacement('news')).filter(
      (row) => (adId ?? row.adId) === row.adId && (placement ?? row.placement) === row.placement,
    );
    const alone = inTime(await store.countsByDay('news')).filter((row) => (adId ?? row.adId) === row.adId);
    const adCounts = placement === undefined ? alone : slots.filter((row) => row.adId !== undefined);
    const sums = <Row extends Counted & { requests?: number }>(rows: readonly Row[], keyOf: (row: Row) => string) =>
      [...Map.groupBy(rows, keyOf)]
        .map(([key, own]) => {
          const sum = (of: (row: Row) => number) => own.reduce((total, row) => total + of(row), 0);
          const of = (name: 'impressions' | 'excluded' | 'viewable' | 'clicks') => sum((row) => row[name]);
          return `${key}: ${sum((row) => row.requests ?? 0)} ${of('impressions')} ${of('excluded')} ${of('viewable')} ${of('clicks')}`;
        })
        .sort();
    const current = (row: { day: string }) => within(row, days);
    return {
      adsByDay: sums(
        adCounts.map((row) => ({ ...row, requests: 0 })),
        ({ day }) => day,
      ),
      byAd: sums(
        adCounts.map((row) => ({ ...row, requests: 0 })),
        (row) => `${row.adId} ${current(row)}`,
      ),
      placementsByDay: sums(slots, ({ day }) => day),
      byPlacement: sums(slots, (row) => `${row.placement} ${current(row)}`),
    };
  }

  describe.each([
    {},
    { adId: ads[0] },
    { placement: 'top' },
    { adId: ads[1], placement: 'top' },
    { placement: 'none' },
  ])('of %j', (filter) => {
    test('sums equal those of the rows', async () => {
      const sums = await store.sumCounts('news', { ...query, ...filter });
      expect({
        adsByDay: sums.adsByDay.map((row) => `${row.day}: 0 ${row.impressions} ${rest(row)}`).sort(),
        byAd: sums.byAd.map((row) => `${row.adId} ${row.current}: 0 ${row.impressions} ${rest(row)}`).sort(),
        placementsByDay: sums.placementsByDay
          .map((row) => `${row.day}: ${row.requests} ${row.filled} ${rest(row)}`)
          .sort(),
        byPlacement: sums.byPlacement
          .map((row) => `${row.placement} ${row.current}: ${row.requests} ${row.filled} ${rest(row)}`)
          .sort(),
      }).toEqual(await addedUp({ ...query, ...filter }));
    });
  });

  test('sums are integers and have no entries where nothing was counted', async () => {
    const { adsByDay } = await store.sumCounts('news', query);
    expect(adsByDay).toHaveLength(4);
    expect(adsByDay.every((row) => Number.isInteger(row.impressions))).toBe(true);
    const nothing = { adsByDay: [], byAd: [], placementsByDay: [], byPlacement: [] };
    expect(await store.sumCounts('nowhere', query)).toEqual(nothing);
  });
});
