import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { readSponsorReport } from '../src/figures/sponsor-report.ts';
import { NOW, run } from './run.ts';

describeDatabases('the report for a sponsor', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  /** A blog with the campaigns of two sponsors, and a delivered ad of the first. */
  async function setUp(blog: string) {
    await store.putBlog({ id: blog, name: blog }, NOW);
    const add = (sponsor: string) => run(store, 'campaigns.add', blog, { sponsor, name: 'Spring' });
    const [tea, rival] = [await add('Tea'), await add('Rival')];
    const fields = { format: 'BANNER', title: 'Fresh tea', name: 'PRIVATE filler', campaignId: tea.id };
    const ad = await run(store, 'ads.add', blog, fields);
    const deliver = (campaign: string) =>
      store.deliver(blog, { slots: [{ candidates: [ad.id] }], campaigns: new Map([[ad.id, campaign]]) }, NOW);
    await deliver(tea.id);
    const report = (campaign = tea.id) => readSponsorReport(store, { blog, campaign, showsPace: true }, NOW);
    const titles = async (campaign = tea.id) => (await report(campaign)).ads.map(({ title }) => title);
    return { tea, rival, ad, deliver, report, titles };
  }

  test('has the title that an ad had when it was deleted, and not its private name', async () => {
    const { ad, report, titles } = await setUp('deleted');
    expect(await titles()).toEqual(['Fresh tea']);
    await run(store, 'ads.delete', 'deleted', { ad: ad.id });
    expect(await titles()).toEqual(['Fresh tea']);
    const recreated = { ...ad, title: 'Secret plans', campaignId: undefined };
    await store.putAd('deleted', recreated);
    expect(await titles()).toEqual(['Fresh tea']);
    expect(JSON.stringify(await report())).not.toMatch(/PRIVATE|Secret/);
  });

  test('has the title that an ad had before it moved to another sponsor, however it moved', async () => {
    const { tea, rival, ad, deliver, titles } = await setUp('moved');
    await run(store, 'ads.edit', 'moved', { ad: ad.id, campaignId: rival.id, title: 'Rival coffee' });
    await deliver(rival.id);
    expect(await titles()).toEqual(['Fresh tea']);
    const back = { id: 'moved', name: 'moved', ads: [{ ...ad, title: 'Iced tea' }] };
    await store.importBlogs([back], NOW);
    expect([await titles(), await titles(rival.id)]).toEqual([['Iced tea'], ['Rival coffee']]);
    await run(store, 'ads.edit', 'moved', { ad: ad.id, campaignId: '', title: 'House ad' });
    expect([await titles(), await titles(rival.id)]).toEqual([['Iced tea'], ['Rival coffee']]);
    await run(store, 'campaigns.delete', 'moved', { campaign: rival.id });
    expect(await titles(tea.id)).toEqual(['Iced tea']);
  });

  test('an ad that was never in the campaign while it changed has no title of its own', async () => {
    const { rival, deliver, report } = await setUp('never');
    await deliver(rival.id);
    expect((await report(rival.id)).ads).toMatchObject([{ title: 'An ad that has left the campaign', delivered: 1 }]);
  });
});
