import { defaultsOf, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { describe, expect, it } from 'vitest';
import { type CountedAds, type Filter, figuresOf } from './figures.ts';
import { readPeriod } from './period.ts';

const period = readPeriod(new URLSearchParams('from=2026-11-09&to=2026-11-10'), 0);
const ad = (id: string, title: string): SnapshotAd => ({ ...defaultsOf(SnapshotAd), id, title, format: 'BANNER' });
const ads = [{ ...ad('a', 'Tea'), campaignId: 'spring' }, ad('b', 'Coffee')];
/** Counts; all delivered ads are valid unless `valid` says otherwise. */
const counts = (requests: number, delivered: number, clicks: number, valid = delivered) => ({
  ...{ requests, delivered, valid, viewable: 0, clicks },
});
const byAd: CountedAds['byAd'] = [
  { day: '2026-11-02', ad: 'a', campaign: 'spring', ...counts(10, 10, 1) },
  { day: '2026-11-09', ad: 'a', campaign: 'spring', ...counts(20, 20, 2, 15) },
  { day: '2026-11-09', ad: 'a', campaign: 'autumn', ...counts(6, 6, 0) },
  { day: '2026-11-10', ad: '', campaign: '', ...counts(10, 0, 0) },
  { day: '2026-11-10', ad: 'a', campaign: '', ...counts(30, 30, 0) },
  { day: '2026-11-10', ad: 'gone', campaign: 'beans', ...counts(5, 5, 5) },
];
const byPlacement: CountedAds['byPlacement'] = [
  { day: '2026-11-03', placement: 'top', ...counts(4, 4, 0) },
  { day: '2026-11-09', placement: '', ...counts(26, 26, 2) },
  { day: '2026-11-10', placement: 'side', ...counts(5, 5, 5) },
  { day: '2026-11-10', placement: 'top', ...counts(40, 30, 3) },
];
const byDay: CountedAds['byDay'] = byAd;
const campaign = (id: string, sponsor: string, kind: 'paid' | 'house' = 'paid', isDeleted = false) => ({
  campaign: { ...defaultsOf(SnapshotCampaign), id, sponsor, name: id, kind },
  isDeleted,
});
const counted: CountedAds = {
  ...{ ads, byAd, byPlacement, byDay, nameOfDeleted: (id) => `Deleted ad ${id}` },
  campaigns: [campaign('spring', 'Leaves'), campaign('autumn', 'Leaves'), campaign('beans', 'Roasters')],
};
/** The figures of rows that the store has filtered. */
const read = (filter: Filter, isWanted: (row: CountedAds['byAd'][number]) => boolean = () => true) =>
  figuresOf(period, { ...counted, byAd: byAd.filter(isWanted) }, filter);

describe('figuresOf', () => {
  it('adds up only the days of the period and of the previous one', () => {
    const { total, before, series } = read({});
    expect(total).toMatchObject({
      impressions: 56,
      delivered: 61,
      clicks: 7,
      requests: 71,
      fill: 61 / 71,
      ctr: 7 / 56,
    });
    expect(before).toMatchObject({ impressions: 10, delivered: 10, clicks: 1, requests: 10, ctr: 1 / 10 });
    expect(series.map(({ impressions }) => impressions)).toEqual([21, 35]);
  });

  it('lists every ad, including ads without figures and deleted ads', () => {
    expect(read({}).ads.map(({ name, impressions, before }) => [name, impressions, before.impressions])).toEqual([
      ['Tea', 51, 10],
      ['Coffee', 0, 0],
      ['Deleted ad gone', 5, 0],
    ]);
  });

  it('lists placements with their requests, impressions and clicks, and no single deliveries', () => {
    expect(read({}).placements).toMatchObject([
      { name: 'top', requests: 40, impressions: 30, fill: 3 / 4, clicks: 3, before: { requests: 4 } },
      { name: 'side', requests: 5, impressions: 5, clicks: 5 },
    ]);
  });

  it('lists only the ad of the filter, or the ads that its placement showed', () => {
    const isTea = (row: CountedAds['byAd'][number]) => row.ad === 'a';
    expect(read({ ad: 'a' }, isTea).ads.map(({ id }) => id)).toEqual(['a']);
    expect(read({ placement: 'top' }, isTea).ads.map(({ id }) => id)).toEqual(['a']);
    expect(read({ ad: 'b', placement: 'top' }, () => false).ads).toEqual([]);
  });

  it('adds up each campaign, and shows only the campaigns of the filter, with their ads', () => {
    const namesOf = (filter: Filter) => read(filter).campaigns.map(({ id }) => id);
    expect(read({}).campaigns[0]).toMatchObject({ impressions: 15, delivered: 20, clicks: 2, before: { clicks: 1 } });
    expect([namesOf({}), namesOf({ sponsor: 'Leaves' }), namesOf({ campaign: 'beans' })]).toEqual([
      ['spring', 'autumn', 'beans'],
      ['spring', 'autumn'],
      ['beans'],
    ]);
    const { total, before, ads, sponsors } = read({ sponsor: 'Leaves' });
    expect([total, before]).toMatchObject([
      { impressions: 21, delivered: 26, clicks: 2 },
      { impressions: 10, clicks: 1 },
    ]);
    expect(ads).toMatchObject([{ id: 'a', impressions: 21 }]);
    expect(sponsors).toMatchObject([{ name: 'Leaves', impressions: 21 }]);
  });

  it('marks house campaigns and deleted ones, and adds up by sponsor only what sponsors pay for', () => {
    const campaigns = [campaign('spring', 'Leaves', 'house'), campaign('beans', 'Roasters', 'paid', true)];
    const { campaigns: rows, sponsors } = figuresOf(period, { ...counted, campaigns }, {});
    expect(rows.map(({ id, note }) => [id, note])).toEqual([
      ['spring', 'house'],
      ['beans', 'deleted'],
    ]);
    expect(sponsors.map(({ name }) => name)).toEqual(['Roasters']);
  });

  it('divides viewable impressions by the valid ones of the days on which pages reported any viewable one', () => {
    const seen = byAd.map((row) =>
      row.day === '2026-11-09' && row.campaign === 'spring' ? { ...row, viewable: 7 } : row,
    );
    const { total, before, ads: rows } = figuresOf(period, { ...counted, byAd: seen, byDay: seen }, {});
    expect([total.viewableRate, before.viewableRate]).toEqual([7 / 21, null]);
    expect(rows.map(({ name, viewableRate }) => [name, viewableRate])).toEqual([
      ['Tea', 7 / 21],
      ['Coffee', null],
      ['Deleted ad gone', null],
    ]);
  });

  it('returns zeros if nothing was counted', () => {
    const none = { ...counted, ads: [], byAd: [], byPlacement: [] };
    const { total, placements, series } = figuresOf(period, none, {});
    expect(total).toMatchObject({ impressions: 0, ctr: 0, fill: 0, viewableRate: null });
    expect([placements.length, series.length]).toEqual([0, 2]);
  });
});
