import type { SnapshotAd } from '@broadsheet/contract';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { run } from './run.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const draft = {
  format: 'BANNER',
  priority: '3',
  title: 'A title',
  content: 'A text',
  linkUrl: 'https://a.example/',
  linkText: 'A link',
  imageUrl: 'https://images.example/a.png',
  startsAt: '2026-03-02T00:00:00.000Z',
  endsAt: '2027-01-01T00:00:00.000Z',
};
const edited = {
  format: 'SIDEBAR',
  priority: '4',
  title: 'Another title',
  content: 'Another text',
  linkUrl: 'https://b.example/',
  linkText: 'Another link',
  imageUrl: 'https://images.example/b.png',
  startsAt: '2026-04-02T00:00:00.000Z',
  endsAt: '2028-01-01T00:00:00.000Z',
};
const stored = (id: string, from: typeof draft) => ({
  ...from,
  id,
  priority: Number(from.priority),
  active: true,
  createdAt: new Date(NOW).toISOString(),
});

describeDatabases('an ad', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    await store.putBlog({ id: 'b', name: 'B', apiKeys: ['k'] }, NOW);
  });
  afterAll(() => store?.close());
  const exported = async (id: string): Promise<SnapshotAd | undefined> =>
    (await store.exportBlog('b'))?.ads.find((ad) => ad.id === id);
  const revision = async () => (await store.findBlog('k'))?.revision;

  test('keeps every field when it is added, edited, deleted and restored', async () => {
    const { id } = await run(store, 'ads.add', 'b', draft);
    expect(await exported(id)).toEqual(stored(id, draft));
    await run(store, 'ads.edit', 'b', { ad: id, ...edited });
    expect(await exported(id)).toEqual(stored(id, edited));
    await run(store, 'ads.delete', 'b', { ad: id });
    expect(await exported(id)).toBeUndefined();
    await run(store, 'ads.restore', 'b', { ad: id });
    expect(await exported(id)).toEqual(stored(id, edited));
  });

  test.each([
    ['ads.add', { format: 'BANNER', title: 'A', campaignId: '' }, 'campaignId'],
    ['ads.add', { format: 'BANNER', title: 'A', endsAt: '' }, 'endsAt'],
    ['campaigns.add', { sponsor: 'S', name: 'N', goalImpressions: '' }, 'goalImpressions'],
    ['campaigns.add', { sponsor: 'S', name: 'N', placements: [''] }, 'placements'],
  ] as const)('%s refuses an empty value, as of a variable that is not set: %j', async (name, args, at) => {
    const error = await run(store, name, 'b', args as never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ problems: [{ at: expect.stringContaining(at) }] });
  });

  test('keeps the other fields when one field is edited', async () => {
    const { id } = await run(store, 'ads.add', 'b', draft);
    for (const [name, value] of Object.entries(edited)) {
      await run(store, 'ads.edit', 'b', { ad: id, [name]: value });
      const ad = stored(id, { ...draft, [name]: value });
      expect(await exported(id)).toEqual(ad);
      await run(store, 'ads.edit', 'b', { ad: id, ...draft });
    }
  });

  test('has a name that readers do not get, until it is removed', async () => {
    const { id } = await run(store, 'ads.add', 'b', { ...draft, name: ' Version B ' });
    expect(await exported(id)).toEqual({ ...stored(id, draft), name: 'Version B' });
    await run(store, 'ads.edit', 'b', { ad: id, name: '' });
    expect(await exported(id)).toEqual(stored(id, draft));
    await run(store, 'ads.delete', 'b', { ad: id });
  });

  test('gives its blog a new revision when it is added, edited, paused, resumed or deleted', async () => {
    const seen = new Set([await revision()]);
    const { id } = await run(store, 'ads.add', 'b', draft);
    for (const change of [
      () => run(store, 'ads.edit', 'b', { ad: id, linkText: 'New' }),
      () => run(store, 'ads.pause', 'b', { ad: [id] }),
      () => run(store, 'ads.resume', 'b', { ad: [id] }),
      () => run(store, 'ads.delete', 'b', { ad: id }),
    ]) {
      seen.add(await revision());
      await change();
    }
    seen.add(await revision());
    expect(seen.size).toBe(6);
    expect((await store.listAllAds('b')).map((ad) => ad.id)).not.toContain(id);
  });
});
