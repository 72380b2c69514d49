import { openStore } from '@broadsheet/store/node';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';
const CAMPAIGN = { id: 'c', sponsor: 'S', name: 'C', goal: { impressions: 100 } };
const BANNER = { id: AD, format: 'BANNER' as const, title: 'Tea', campaignId: 'c' };
const SOURCE = { id: 'b', name: 'B', campaigns: [CAMPAIGN], ads: [BANNER] };

describeDatabases('an import into a blog that exists', (database) => {
  test('changes of ads and campaigns only what its source names', async () => {
    const store = await openStore(await database.another());
    await store.importBlogs([SOURCE], NOW);
    const edited = {
      ...SOURCE,
      campaigns: [{ ...CAMPAIGN, paused: true, perDay: 7, placements: ['top'], endsAt: '2026-05-01T00:00:00Z' }],
      ads: [{ ...BANNER, active: false, priority: 5, name: 'Ours', linkUrl: 'https://tea.example/' }],
    };
    await store.importBlogs([edited], NOW);
    const before = [await store.listCampaigns('b'), await store.listAllAds('b')];

    const [again] = await store.importBlogs([SOURCE], NOW);
    expect(again?.changed).toEqual([]);
    expect([await store.listCampaigns('b'), await store.listAllAds('b')]).toEqual(before);

    const source = { ...SOURCE, ads: [{ ...BANNER, title: 'Coffee', linkUrl: null }] };
    const [third] = await store.importBlogs([source], NOW);
    expect(third).toMatchObject({ changed: ['ads'], changes: { ads: { added: [], changed: ['Ours'], removed: [] } } });
    expect(await store.listAllAds('b')).toMatchObject([
      { title: 'Coffee', linkUrl: null, active: false, priority: 5, name: 'Ours', campaignId: 'c' },
    ]);
    await store.close();
  });

  test('in a dry run, a new blog gets no key that somebody could copy', async () => {
    const store = await openStore(await database.another());
    expect(await store.importBlogs([SOURCE], NOW, { dryRun: true })).toMatchObject([{ id: 'b', newKey: undefined }]);
    expect(await store.listBlogs()).toEqual([]);
    await store.close();
  });
});
