import { defaultsOf, SnapshotAd, type SnapshotCampaign } from '@broadsheet/contract';
import type { Sums } from '@broadsheet/store';
import { describe, expect, it } from 'vitest';
import { ctrOf, type Filter, figuresOf, fillOf, type KnownAds } from './figures.ts';
import { readPeriod } from './period.ts';

const period = readPeriod(new URLSearchParams('from=2026-11-09&to=2026-11-10'), 0);
const ad = (id: string, title: string): SnapshotAd => ({ ...defaultsOf(SnapshotAd), id, title, format: 'BANNER' });
const ads = [{ ...ad('a', 'Tea'), campaignId: 'spring' }, ad('b', 'Coffee')];
const unseen = { excluded: 0, viewable: 0 };
const sums: Sums = {
  adsByDay: [
    { day: '2026-11-02', impressions: 10, ...unseen, clicks: 1 },
    { day: '2026-11-09', impressions: 20, ...unseen, clicks: 2 },
    { day: '2026-11-10', impressions: 35, ...unseen, clicks: 5 },
  ],
  byAd: [
    { adId: 'a', current: false, impressions: 10, ...unseen, clicks: 1 },
    { adId: 'a', current: true, impressions: 50, ...unseen, clicks: 2 },
    { adId: 'gone', current: true, impressions: 5, ...unseen, clicks: 5 },
  ],
  placementsByDay: [
    { day: '2026-11-03', requests: 4, filled: 4, ...unseen, clicks: 0 },
    { day: '2026-11-10', requests: 45, filled: 35, ...unseen, clicks: 8 },
  ],
  byPlacement: [
    { placement: 'top', current: true, requests: 40, filled: 30, ...unseen, clicks: 3 },
    { placement: 'side', current: true, requests: 5, filled: 5, ...unseen, clicks: 5 },
    { placement: 'top', current: false, requests: 4, filled: 4, ...unseen, clicks: 0 },
  ],
};
const campaign = (id: string, sponsor: string): SnapshotCampaign => ({
  ...{ id, sponsor, name: id, kind: 'paid', startsAt: null, endsAt: null, goal: null, perDay: null, pace: 'even' },
});
const known: KnownAds = {
  ads,
  nameOfDeleted: (id) => `Deleted ad ${id}`,
  campaigns: [campaign('spring', 'Leaves'), campaign('autumn', 'Leaves'), campaign('beans', 'Roasters')],
  ofCampaigns: [
    { campaignId: 'spring', day: '2026-11-02', impressions: 3, ...unseen, clicks: 1 },
    { campaignId: 'spring', day: '2026-11-09', impressions: 5, ...unseen, clicks: 2 },
    { campaignId: 'autumn', day: '2026-11-09', impressions: 6, ...unseen, clicks: 0 },
    { campaignId: 'beans', day: '2026-11-10', impressions: 7, ...unseen, clicks: 0 },
  ],
};
const read = (filter: Filter, of: Sums = sums) => figuresOf(period, known, of, filter);

describe('figuresOf', () => {
  it('adds up only the days of the period and of the previous one', () => {
    const { total, before, series } = read({});
    expect(total).toEqual({ impressions: 55, valid: 55, viewable: 0, clicks: 7, requests: 45, filled: 35 });
    expect(before).toEqual({ impressions: 10, valid: 10, viewable: 0, clicks: 1, requests: 4, filled: 4 });
    expect(series.map(({ impressions }) => impressions)).toEqual([20, 35]);
    expect([ctrOf(total), fillOf(total)]).toEqual([7 / 55, 35 / 45]);
  });

  it('lists every ad, including ads without figures and deleted ads', () => {
    expect(read({}).ads.map(({ name, impressions, before }) => [name, impressions, before.impressions])).toEqual([
      ['Tea', 50, 10],
      ['Coffee', 0, 0],
      ['Deleted ad gone', 5, 0],
    ]);
  });

  it('lists placements with their requests, impressions and clicks', () => {
    expect(read({}).placements).toMatchObject([
      { name: 'top', requests: 40, impressions: 30, clicks: 3, before: { requests: 4 } },
      { name: 'side', requests: 5, impressions: 5, clicks: 5 },
    ]);
  });

  it('lists only the ad of the filter, or the ads that its placement showed', () => {
    const ofTea = { ...sums, byAd: sums.byAd.filter(({ adId }) => adId === 'a') };
    expect(read({ ad: 'a' }, ofTea).ads.map(({ id }) => id)).toEqual(['a']);
    expect(read({ placement: 'top' }, ofTea).ads.map(({ id }) => id)).toEqual(['a']);
    expect(read({ ad: 'b', placement: 'top' }, { ...sums, byAd: [] }).ads).toEqual([]);
  });

  it('adds up each campaign, and shows only the campaigns of the filter, with their ads', () => {
    const namesOf = (filter: Filter) => read(filter).campaigns.map(({ id }) => id);
    expect(read({}).campaigns[0]).toMatchObject({ impressions: 5, clicks: 2, before: { impressions: 3, clicks: 1 } });
    expect([namesOf({}), namesOf({ sponsor: 'Leaves' }), namesOf({ campaign: 'beans' })]).toEqual([
      ['spring', 'autumn', 'beans'],
      ['spring', 'autumn'],
      ['beans'],
    ]);
    const { total, before, ads, placements } = read({ sponsor: 'Leaves' });
    expect([total, before]).toMatchObject([
      { impressions: 11, clicks: 2, requests: 0 },
      { impressions: 3, clicks: 1 },
    ]);
    expect([ads.map(({ id }) => id), placements]).toEqual([['a'], []]);
  });

  it('adds what was excluded to the impressions of a campaign, and leaves it out of the valid ones', () => {
    const spring = { campaignId: 'spring', day: '2026-11-09', impressions: 5, excluded: 8, viewable: 4, clicks: 1 };
    const expected = { impressions: 13, valid: 5, viewable: 4 };
    const of = (filter: Filter) => figuresOf(period, { ...known, ofCampaigns: [spring] }, sums, filter);
    expect(of({}).campaigns[0]).toMatchObject(expected);
    expect(of({ campaign: 'spring' }).total).toMatchObject(expected);
  });

  it('returns zeros if nothing was counted', () => {
    const none: Sums = { adsByDay: [], byAd: [], placementsByDay: [], byPlacement: [] };
    const { total, placements, series } = figuresOf(period, { ...known, ads: [] }, none, {});
    expect([total.impressions, ctrOf(total), fillOf(total), placements.length, series.length]).toEqual([0, 0, 0, 0, 2]);
  });
});
