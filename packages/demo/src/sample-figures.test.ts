import { campaignStates } from '@broadsheet/management';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { sampleBlog } from './sample-blog.ts';
import { writeSampleFigures } from './sample-figures.ts';

const BLOG = { url: 'http://127.0.0.1:4500', apiKey: 'key', domains: [] };

test.each(['2026-11-27T00:30:00Z', '2027-03-06T20:00:00Z'])(
  'at %s, each ad of a campaign that has begun has figures, and one campaign has reached its goal',
  async (time) => {
    const now = Date.parse(time);
    const store = await openStore(`sqlite:${temporaryFolder().join('demo.db')}`);
    onTestFinished(() => store.close());
    await store.importBlogs([sampleBlog({ ...BLOG, now })], now);
    await writeSampleFigures(store, 'broadsheet', now);
    const ads = (await store.listAllAds('broadsheet')).filter(({ campaignId }) => campaignId !== undefined);
    const states = await campaignStates(store, 'broadsheet', ads, now);
    const figures = await store.figures('broadsheet', { by: ['ad'] });
    const seen = new Set(figures.filter(({ valid }) => valid > 0).map(({ ad }) => ad));
    const unseen = ads.filter(({ id, campaignId }) => !seen.has(id) && states.get(campaignId) !== 'waiting');
    expect(unseen.map(({ title }) => title)).toEqual([]);
    expect([...states.values()]).toEqual(expect.arrayContaining(['reached', 'waiting', 'running']));
  },
);
