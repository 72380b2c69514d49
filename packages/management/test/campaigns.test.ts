import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import {
  addCampaign,
  deleteCampaign,
  editCampaign,
  exportCampaign,
  listCampaigns,
  readCampaign,
} from '../src/campaigns/campaigns.ts';
import { openStore } from '../src/open-store.ts';
import { addAd, deleteAd, editAd, exportAd } from '../src/operations/ads.ts';
import { importContent } from '../src/operations/imports.ts';
import { listBin, restore } from '../src/operations/recycle-bin.ts';
import { readStats } from '../src/operations/stats.ts';
import type { ServerStore } from '../src/server-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const draft = { sponsor: 'Tea & Co', name: 'Spring', goalImpressions: '10', pace: 'fast' };

describeDatabases('a campaign', (database) => {
  let store: ServerStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  /** Creates a blog with a campaign that has one ad. */
  async function setUp(blog: string) {
    await store.putBlog({ id: blog, name: blog }, NOW);
    const campaign = await addCampaign(store, blog, draft, NOW);
    const ad = await addAd(store, blog, { format: 'BANNER', title: 'Tea', campaignId: campaign.id }, NOW);
    const delivery = { slots: [{ candidates: [ad.id] }], campaigns: new Map([[ad.id, campaign.id]]) };
    const deliver = async (times: number, at = NOW) => {
      for (let index = 0; index < times; index += 1) await store.deliver(blog, delivery, at);
    };
    return { campaign, ad, deliver };
  }

  test('is added and edited, and an ad cannot name an unknown one', async () => {
    const { campaign, ad } = await setUp('edit');
    expect(ad.campaignId).toBe(campaign.id);
    const { after } = await editCampaign(store, { blog: 'edit', id: campaign.id }, { perDay: '3' }, NOW);
    expect(after).toEqual({ ...campaign, perDay: 3 });
    expect(await store.listCampaigns('edit')).toEqual([after]);
    const unknown = { format: 'BANNER', title: 'A', campaignId: 'unknown' };
    await expect(addAd(store, 'edit', unknown, NOW)).rejects.toThrow('"unknown", which does not exist');
    const left = await editAd(store, { blog: 'edit', id: ad.id }, { campaignId: '' }, NOW);
    expect(left.after).not.toHaveProperty('campaignId');
    await expect(addCampaign(store, 'nowhere', draft, NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const seen = { blog: 'edit', id: campaign.id, version: 'another' };
    await expect(editCampaign(store, seen, { perDay: '4' }, NOW)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('has figures, and appears in the statistics', async () => {
    const { campaign, ad, deliver } = await setUp('figures');
    await deliver(4, NOW - DAY);
    await deliver(2);
    const click = { tokenId: 't', tokenExpiresAt: NOW, adId: ad.id, visitor: undefined, at: NOW, repeatSince: NOW };
    await store.recordClick('figures', click);
    const report = await readCampaign(store, 'figures', campaign.id, NOW);
    expect(report).toMatchObject({
      ...{ state: 'running', impressions: 6, clicks: 1, ctr: 1 / 6, progress: 0.6 },
      ads: [{ id: ad.id, title: 'Tea', impressions: 6, clicks: 1 }],
      days: [
        { day: '2026-02-28', impressions: 4, clicks: 0 },
        { day: '2026-03-01', impressions: 2, clicks: 1 },
      ],
    });
    // Six in a day and a half, so the other four take another day.
    expect(report.expectedAt).toBe('2026-03-02T12:00:00.000Z');
    const stats = await readStats(store, 'figures', NOW);
    const { id, sponsor, name } = campaign;
    const unseen = { delivered: 6, valid: 6, viewable: 0, viewableRate: null };
    expect(stats.campaigns).toEqual([{ id, sponsor, name, impressions: 6, ...unseen, clicks: 1, ctr: 1 / 6 }]);
    await deliver(9);
    const [reached] = await listCampaigns(store, 'figures', NOW);
    expect(reached).toMatchObject({ state: 'reached', impressions: 10, progress: 1 });
    await deleteCampaign(store, 'figures', campaign.id, NOW);
    expect((await store.countsByCampaign('figures')).length).toBe(2);
  });

  test('is deleted with its ads, and restored with them from the recycle bin or by an import', async () => {
    const { campaign, ad } = await setUp('bin');
    await addAd(store, 'bin', { format: 'POPUP', title: 'Other' }, NOW);
    const whole = await store.exportBlog('bin');
    const snapshot = await exportCampaign(store, 'bin', campaign.id);
    await deleteCampaign(store, 'bin', campaign.id, NOW);
    expect(await store.listCampaigns('bin')).toEqual([]);
    expect((await store.listAllAds('bin')).map(({ title }) => title)).toEqual(['Other']);
    expect((await listBin(store, 'bin', NOW)).map(({ kind, title }) => [kind, title]).sort()).toEqual([
      ['ad', 'Tea'],
      ['campaign', 'Spring'],
    ]);
    await expect(restore(store, 'bin', { kind: 'ad', id: ad.id }, NOW)).rejects.toMatchObject({ code: 'CONFLICT' });
    await restore(store, 'bin', { kind: 'campaign', id: campaign.id }, NOW);
    expect(await store.exportBlog('bin')).toEqual(whole);
    expect(await listBin(store, 'bin', NOW)).toEqual([]);
    await deleteCampaign(store, 'bin', campaign.id, NOW);
    await importContent(store, { snapshot }, { now: NOW });
    expect(await store.exportBlog('bin')).toEqual(whole);
  });

  test('is exported with its ad, and is not removed by an import that prunes', async () => {
    const { campaign, ad } = await setUp('export');
    const snapshot = await exportAd(store, 'export', ad.id);
    await deleteAd(store, 'export', ad.id, NOW);
    await importContent(store, { snapshot }, { now: NOW });
    expect(await store.listAllAds('export')).toEqual([ad]);
    const empty = { snapshot: { blogs: [{ id: 'export', name: 'Empty' }] } };
    await importContent(store, empty, { now: NOW, prune: true });
    expect(await store.listCampaigns('export')).toEqual([campaign]);
    const wrong = { ...ad, id: crypto.randomUUID(), campaignId: 'unknown' };
    const refused = { snapshot: { blogs: [{ id: 'export', name: 'Empty', ads: [wrong] }] } };
    await expect(importContent(store, refused, { now: NOW })).rejects.toThrow('"unknown", which does not exist');
  });
});
