import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { asText } from '../src/commands/text-table.ts';
import { adState, campaignStates, listCampaigns, readCampaign } from '../src/figures/campaigns.ts';
import { importContent } from '../src/imports/import-content.ts';
import { run } from './run.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const draft = { sponsor: 'Tea & Co', name: 'Spring', goalImpressions: '10', pace: 'fast' };

describeDatabases('a campaign', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  /** Creates a blog with a campaign that has one ad. */
  async function setUp(blog: string) {
    await store.putBlog({ id: blog, name: blog }, NOW);
    const campaign = await run(store, 'campaigns.add', blog, draft);
    const ad = await run(store, 'ads.add', blog, { format: 'BANNER', title: 'Tea', campaignId: campaign.id });
    const delivery = { slots: [{ candidates: [ad.id] }], campaigns: new Map([[ad.id, campaign.id]]) };
    const deliver = async (times: number, at = NOW) => {
      for (let index = 0; index < times; index += 1) await store.deliver(blog, delivery, at);
    };
    return { campaign, ad, deliver };
  }

  test('is added and edited, and an ad cannot name an unknown one', async () => {
    const { campaign, ad } = await setUp('edit');
    expect(ad.campaignId).toBe(campaign.id);
    const { after } = await run(store, 'campaigns.edit', 'edit', { campaign: campaign.id, perDay: '3' });
    expect(after).toEqual({ ...campaign, perDay: 3 });
    expect(await store.listCampaigns('edit')).toEqual([after]);
    const unknown = { format: 'BANNER', title: 'A', campaignId: 'unknown' };
    await expect(run(store, 'ads.add', 'edit', unknown)).rejects.toThrow('"unknown", which does not exist');
    const left = await run(store, 'ads.edit', 'edit', { ad: ad.id, campaignId: '' });
    expect(left.after).not.toHaveProperty('campaignId');
    await expect(run(store, 'campaigns.add', 'nowhere', draft)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('has a state that says why nothing is delivered, and so have its ads', async () => {
    const { campaign, ad, deliver } = await setUp('states');
    const states = async (at = NOW) => {
      const { state } = await readCampaign(store, 'states', campaign.id, at);
      const [listed] = await listCampaigns(store, 'states', at);
      expect(listed?.state).toBe(state);
      const all = await store.listAllAds('states');
      const of = (await campaignStates(store, 'states', all, at)).get(campaign.id);
      return [state, adState(all.find(({ id }) => id === ad.id) ?? ad, at, of)];
    };
    const edit = (args: object) => run(store, 'campaigns.edit', 'states', { campaign: campaign.id, ...args });
    expect(await states()).toEqual(['running', 'running']);
    await edit({ perDay: '2' });
    await deliver(2);
    expect(await states()).toEqual(['capped', 'capped']);
    expect(await states(NOW + DAY)).toEqual(['running', 'running']);
    await run(store, 'campaigns.pause', 'states', { campaign: campaign.id });
    expect(await states()).toEqual(['paused', 'paused']);
    await run(store, 'campaigns.resume', 'states', { campaign: campaign.id });
    await run(store, 'ads.pause', 'states', { ad: [ad.id] });
    expect(await states(NOW + DAY)).toEqual(['empty', 'paused']);
    await run(store, 'ads.resume', 'states', { ad: [ad.id] });
    await edit({ startsAt: '2026-03-05', perDay: '' });
    expect(await states()).toEqual(['waiting', 'waiting']);
    await edit({ startsAt: '', goalImpressions: '2' });
    expect(await states()).toEqual(['reached', 'reached']);
    const [listed] = await run(store, 'ads.list', 'states', {});
    expect(listed).toMatchObject({ id: ad.id, state: 'reached' });
  });

  test('has figures, and appears in the statistics', async () => {
    const { campaign, ad, deliver } = await setUp('figures');
    await deliver(4, NOW - DAY);
    await deliver(2);
    const click = { tokenId: 't', tokenExpiresAt: NOW, adId: ad.id, visitor: undefined, at: NOW, repeatSince: NOW };
    await store.recordClick('figures', { ...click, campaignId: campaign.id });
    const report = await run(store, 'campaigns.report', 'figures', { campaign: campaign.id });
    expect(report).toMatchObject({
      ...{ state: 'running', impressions: 6, clicks: 1, ctr: 1 / 6, progress: 0.6 },
      ads: [{ id: ad.id, title: 'Tea', impressions: 6, clicks: 1 }],
      days: [
        { day: '2026-02-28', impressions: 4, clicks: 0 },
        { day: '2026-03-01', impressions: 2, clicks: 1 },
      ],
    });
    // Six in a day and a half, so the other four take another day.
    expect(report).toHaveProperty('expectedAt', '2026-03-02T12:00:00.000Z');
    const stats = await run(store, 'stats', 'figures', {});
    const { id, sponsor, name, kind } = campaign;
    const unseen = { delivered: 6, valid: 6, viewable: 0, viewableRate: null };
    expect(stats.campaigns).toEqual([
      { id, sponsor, name, kind, state: 'running', impressions: 6, ...unseen, clicks: 1, ctr: 1 / 6 },
    ]);
    await deliver(9);
    const [reached] = await run(store, 'campaigns.list', 'figures', {});
    expect(reached).toMatchObject({ state: 'reached', impressions: 10, progress: 1 });
    await run(store, 'campaigns.delete', 'figures', { campaign: campaign.id });
    expect(await store.figures('figures', { by: ['day'], campaign: campaign.id })).toHaveLength(2);
  });

  test('is ahead of or behind the plan of its last edit, depending on its deliveries', async () => {
    const { campaign, deliver } = await setUp('pace');
    const edit = (args: object) => run(store, 'campaigns.edit', 'pace', { campaign: campaign.id, ...args });
    const ahead = async (at: number) => {
      const [listed] = await listCampaigns(store, 'pace', at);
      const report = await readCampaign(store, 'pace', campaign.id, at);
      expect(report.ahead).toBe(listed?.ahead);
      return listed?.ahead;
    };
    await edit({ goalImpressions: '100', startsAt: '2026-03-01', endsAt: '2026-03-10' });
    await deliver(10, NOW + DAY / 2);
    expect(await ahead(NOW + DAY / 2)).toBeCloseTo(0);
    expect(await ahead(NOW + 4.5 * DAY)).toBeCloseTo(-0.8);
    await edit({ goalImpressions: '110', pace: 'even' });
    expect(await ahead(NOW + 4.5 * DAY)).toBe(0);
    await deliver(1, NOW + 4.5 * DAY);
    expect(await ahead(NOW + 4.5 * DAY)).toBe(0);
    await deliver(5, NOW + 5.5 * DAY);
    expect(await ahead(NOW + 5.5 * DAY)).toBeCloseTo(-0.7);
  });

  test('is expected to reach its goal before its end and before the year 10000, or not at all', async () => {
    const { campaign, deliver } = await setUp('forecast');
    const expected = async (change: Record<string, string>) => {
      await run(store, 'campaigns.edit', 'forecast', { campaign: campaign.id, ...change });
      const [listed] = await run(store, 'campaigns.list', 'forecast', {});
      const report = await run(store, 'campaigns.report', 'forecast', { campaign: campaign.id });
      expect(report).toMatchObject({ state: 'running', ...(listed?.expectedAt && { expectedAt: listed.expectedAt }) });
      return listed?.expectedAt?.slice(0, 10);
    };
    await deliver(1);
    expect(await expected({ goalImpressions: '4001' })).toBe('2037-02-11');
    expect(await expected({ endsAt: '2037-02-10' })).toBeUndefined();
    expect(await expected({ endsAt: '2037-02-11' })).toBe('2037-02-11');
    expect(await expected({ endsAt: '', goalImpressions: '2900000' })).toBe('9966-02-03');
    for (const goalImpressions of ['3000000', '999999999', '999999999999']) {
      expect(await expected({ goalImpressions })).toBeUndefined();
    }
  });

  test('keeps its figures when it is deleted: in the list, the statistics and its report', async () => {
    const { campaign, deliver } = await setUp('deleted');
    await run(store, 'campaigns.add', 'deleted', { ...draft, name: 'Unused' });
    await deliver(3);
    const before = await run(store, 'campaigns.report', 'deleted', { campaign: campaign.id });
    await run(store, 'campaigns.delete', 'deleted', { campaign: campaign.id });
    const kept = { impressions: 3, clicks: 0, state: 'deleted' };
    const report = await run(store, 'campaigns.report', 'deleted', { campaign: campaign.id });
    expect(report).toMatchObject({ ...kept, campaign, days: 'days' in before ? before.days : [] });
    expect(report).toMatchObject({ ads: [{ title: 'Tea', format: 'deleted', impressions: 3 }] });
    const listed = await run(store, 'campaigns.list', 'deleted', {});
    expect(listed).toMatchObject([{ campaign, ...kept }, { campaign: { name: 'Unused' } }]);
    const { campaigns } = await run(store, 'stats', 'deleted', {});
    expect(campaigns).toMatchObject([{ id: campaign.id, sponsor: 'Tea & Co', name: 'Spring', ...kept }, {}]);
    // After thirty days, the recycle bin no longer has its name.
    const late = await readCampaign(store, 'deleted', campaign.id, NOW + 31 * DAY);
    expect(late).toMatchObject({ ...kept, campaign: { name: `Deleted campaign ${campaign.id.slice(0, 8)}` } });
    const unknown = run(store, 'campaigns.report', 'deleted', { campaign: 'unknown' });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await run(store, 'campaigns.restore', 'deleted', { campaign: campaign.id });
    expect(await run(store, 'campaigns.report', 'deleted', { campaign: campaign.id })).toEqual(before);
  });

  test('a house campaign is listed separately from the campaigns that sponsors pay for', async () => {
    const { campaign } = await setUp('house');
    await run(store, 'campaigns.add', 'house', { ...draft, sponsor: 'A', name: 'Letter', kind: 'house' });
    const names = (rows: readonly { readonly kind: string; readonly name: string }[]) =>
      rows.map(({ kind, name }) => [kind, name]);
    const expected = [
      ['paid', campaign.name],
      ['house', 'Letter'],
    ];
    const listed = await run(store, 'campaigns.list', 'house', {});
    expect(names(listed.map(({ campaign }) => campaign))).toEqual(expected);
    const stats = await run(store, 'stats', 'house', {});
    expect(names(stats.campaigns)).toEqual(expected);
    expect(asText(COMMANDS['campaigns.list'].text?.(listed, {}, 'house', String) ?? '', false)).toMatch(
      /^CAMPAIGN .*Spring.*\n\nHOUSE CAMPAIGN .*Letter/s,
    );
    expect(asText(COMMANDS.stats.text?.(stats, {}, 'house', String) ?? '', false)).toMatch(
      /^CAMPAIGN .*Spring.*\n\nHOUSE CAMPAIGN .*Letter/ms,
    );
  });

  test('is deleted with its ads, and restored with them from the recycle bin', async () => {
    const { campaign, ad } = await setUp('bin');
    const binned = async () => (await run(store, 'bin.list', 'bin', { limit: 50, offset: 0 })).items;
    await run(store, 'ads.add', 'bin', { format: 'POPUP', title: 'Other' });
    const whole = await store.exportBlog('bin');
    await run(store, 'campaigns.delete', 'bin', { campaign: campaign.id });
    expect(await store.listCampaigns('bin')).toEqual([]);
    expect((await store.listAllAds('bin')).map(({ title }) => title)).toEqual(['Other']);
    expect((await binned()).map(({ kind, title }) => [kind, title]).sort()).toEqual([
      ['ad', 'Tea'],
      ['campaign', 'Spring'],
    ]);
    await expect(run(store, 'ads.restore', 'bin', { ad: ad.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await run(store, 'campaigns.restore', 'bin', { campaign: campaign.id });
    expect(await store.exportBlog('bin')).toEqual(whole);
    expect(await binned()).toEqual([]);
  });

  test('continues when an edit gives it an end and an even pace', async () => {
    const { campaign, deliver } = await setUp('paced');
    await deliver(5);
    const edit = { campaign: campaign.id, goalImpressions: '15', pace: 'even', endsAt: '2026-03-11' };
    const { after } = await run(store, 'campaigns.edit', 'paced', edit);
    expect(after.startsAt).toBe('2026-03-01T12:00:00.000Z');
    const total = async () => (await store.figures('paced', { by: [] }))[0]?.delivered;
    await deliver(5);
    expect(await total()).toBe(6);
    // More than half of the ten and a half days has passed, so more than half of the remaining ten are due.
    await deliver(10, NOW + 5.5 * DAY);
    expect(await total()).toBe(11);
  });

  test('the clicks of bots do not count towards a goal', async () => {
    await store.putBlog({ id: 'bots', name: 'Bots' }, NOW);
    const campaign = await run(store, 'campaigns.add', 'bots', { sponsor: 'Tea', name: 'Spring', goalClicks: '1' });
    const click = { tokenId: 't', tokenExpiresAt: NOW, adId: 'a', visitor: undefined, at: NOW, repeatSince: NOW };
    await store.recordClick('bots', { ...click, campaignId: campaign.id, traffic: 'bot' });
    const [listed] = await run(store, 'campaigns.list', 'bots', {});
    // Without an ad, it is empty; but its goal is not reached.
    expect(listed).toMatchObject({ state: 'empty', clicks: 0, progress: 0 });
  });

  test('is not removed by an import that prunes', async () => {
    const { campaign, ad } = await setUp('export');
    const empty = { snapshot: { blogs: [{ id: 'export', name: 'Empty' }] } };
    await importContent(store, empty, { now: NOW, prune: true });
    expect(await store.listCampaigns('export')).toEqual([campaign]);
    const wrong = { ...ad, id: crypto.randomUUID(), campaignId: 'unknown' };
    const refused = { snapshot: { blogs: [{ id: 'export', name: 'Empty', ads: [wrong] }] } };
    await expect(importContent(store, refused, { now: NOW })).rejects.toThrow('"unknown", which does not exist');
  });
});
