import type { PlacementCount } from '@broadsheet/core';
import { describe, expect, it } from 'vitest';
import { ctrOf, figuresOf, fillOf } from './figures.ts';
import { readPeriod } from './period.ts';

const period = readPeriod(new URLSearchParams('from=2026-11-09&to=2026-11-10'), 0);
const ad = (id: string, title: string) => ({
  ...{ id, title, format: 'BANNER' as const, priority: 0, active: true, startsAt: null, endsAt: null },
  ...{ imageUrl: null, linkUrl: null, content: null, linkText: null },
});
const ads = [ad('a', 'Tea'), ad('b', 'Coffee')];
const count = (day: string, adId: string, impressions: number, clicks: number) => ({ day, adId, impressions, clicks });
const counts = [
  count('2026-11-02', 'a', 10, 1),
  count('2026-11-08', 'a', 999, 99),
  count('2026-11-09', 'a', 20, 2),
  count('2026-11-10', 'a', 30, 0),
  count('2026-11-10', 'gone', 5, 5),
];
const placed = (
  day: string,
  placement: string,
  adId: string | undefined,
  asked: number,
  clicks = 0,
): PlacementCount => ({
  ...{ day, placement, adId, asked, clicks },
  impressions: adId === undefined ? 0 : asked,
});
const placements = [
  placed('2026-11-03', 'top', 'a', 4),
  placed('2026-11-10', 'side', 'gone', 5, 5),
  placed('2026-11-10', 'top', undefined, 10),
  placed('2026-11-10', 'top', 'a', 30, 3),
];
const read = (filter: { ad?: string; placement?: string }) => figuresOf(period, ads, counts, placements, filter);

describe('figuresOf', () => {
  it('adds up the days of the period and those before, and no others', () => {
    const { total, before, series } = read({});
    expect(total).toEqual({ impressions: 55, clicks: 7, asked: 45, filled: 35 });
    expect(before).toEqual({ impressions: 10, clicks: 1, asked: 4, filled: 4 });
    expect(series.map(({ impressions }) => impressions)).toEqual([20, 35]);
    expect([ctrOf(total), fillOf(total)]).toEqual([7 / 55, 35 / 45]);
  });

  it('lists every ad, also one that earned nothing and one that is deleted', () => {
    expect(read({}).ads.map(({ ad, impressions, before }) => [ad.title, impressions, before.impressions])).toEqual([
      ['Tea', 50, 10],
      ['Coffee', 0, 0],
      [null, 5, 0],
    ]);
  });

  it('lists placements with what asked, was filled and was clicked', () => {
    expect(read({}).placements).toMatchObject([
      { placement: 'top', asked: 40, impressions: 30, clicks: 3, before: { asked: 4 } },
      { placement: 'side', asked: 5, impressions: 5, clicks: 5 },
    ]);
  });

  it('shows an ad alone, a placement alone, and both together', () => {
    expect(read({ ad: 'a' })).toMatchObject({
      total: { impressions: 50 },
      placements: [{ placement: 'top', asked: 30 }],
    });
    expect(read({ ad: 'a' }).ads).toHaveLength(1);
    expect(read({ placement: 'top' })).toMatchObject({ total: { impressions: 30, clicks: 3, asked: 40, filled: 30 } });
    expect(read({ placement: 'top' }).ads.map(({ ad }) => ad.id)).toEqual(['a']);
    expect(read({ ad: 'gone', placement: 'top' })).toMatchObject({
      total: { impressions: 0 },
      ads: [],
      placements: [],
    });
  });

  it('is nothing where nothing was counted', () => {
    const { total, placements, series } = figuresOf(period, [], [], [], {});
    expect([total.impressions, ctrOf(total), fillOf(total), placements.length, series.length]).toEqual([0, 0, 0, 0, 2]);
  });
});
