import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openStore } from '../src/open-store.ts';
import { addAd, adVersion, deleteAd, editAd, setAdActive } from '../src/operations/ads.ts';
import { changeDomains, createBlog, deleteBlog } from '../src/operations/blogs.ts';
import { createKey, listKeys, rotateKeys } from '../src/operations/keys.ts';
import type { ServerStore } from '../src/server-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const TURNS = 20;

describeDatabases('two operators at once', (database) => {
  /** To the database, these look like two processes. */
  let here: ServerStore;
  let there: ServerStore;
  beforeAll(async () => {
    [here, there] = [await openStore(database.url), await openStore(database.url)];
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
  });

  test('add a domain each, and both are kept', async () => {
    await createBlog(here, { id: 'domains' }, NOW);
    const hosts = Array.from({ length: TURNS }, (_, turn) => `host-${turn}.example`);
    await Promise.all(hosts.map((add, turn) => changeDomains(turn % 2 ? here : there, 'domains', { add: [add] })));
    const [blog] = await here.listBlogs('domains');
    expect([...(blog?.domains ?? [])].sort()).toEqual([...hosts].sort());
  });

  test('delete and edit the same ad, and it stays deleted', async () => {
    await createBlog(here, { id: 'ads' }, NOW);
    const { id } = await addAd(here, 'ads', { format: 'BANNER', title: 'Tea' }, NOW);
    const late: ServerStore = {
      ...here,
      async listAllAds(blog) {
        const ads = await here.listAllAds(blog);
        await deleteAd(there, 'ads', id, NOW).catch(() => undefined);
        return ads;
      },
    };
    await expect(editAd(late, { blog: 'ads', id }, { title: 'Coffee' }, NOW)).rejects.toThrow('There is no ad');
    expect(await here.listAllAds('ads')).toEqual([]);
  });

  test('change the same ad, and the one who saw an older version gets a conflict', async () => {
    await createBlog(here, { id: 'stale' }, NOW);
    const ad = await addAd(here, 'stale', { format: 'BANNER', title: 'Tea' }, NOW);
    const seen = { blog: 'stale', id: ad.id, version: await adVersion(ad) };
    await setAdActive(there, 'stale', ad.id, false);
    await expect(editAd(here, seen, { title: 'Coffee' }, NOW)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await here.listAllAds('stale')).toEqual([{ ...ad, active: false }]);
  });

  test('edit different fields of an ad, and all changes are kept', async () => {
    await createBlog(here, { id: 'edited' }, NOW);
    const { id } = await addAd(here, 'edited', { format: 'BANNER', title: 'Tea' }, NOW);
    const edits = [{ title: 'Coffee' }, { content: 'Hot' }, { linkText: 'Drink' }, { priority: '7' }];
    await Promise.all(edits.map((edit, turn) => editAd(turn % 2 ? here : there, { blog: 'edited', id }, edit, NOW)));
    const [ad] = await here.listAllAds('edited');
    expect(ad).toMatchObject({ title: 'Coffee', content: 'Hot', linkText: 'Drink', priority: 7 });
  });

  test('change the domains, and the one who saw an older list gets a conflict', async () => {
    await createBlog(here, { id: 'replaced', domains: ['a.example'] }, NOW);
    await changeDomains(there, 'replaced', { add: ['b.example'] });
    const change = { replace: ['c.example'], before: ['a.example'] };
    await expect(changeDomains(here, 'replaced', change)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('delete a blog and invite a person to it, and nobody has access to it afterwards', async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await createBlog(here, { id: 'invited' }, NOW);
      await Promise.all([
        here.invitePerson({ name: 'Ben', role: 'view', blogId: 'invited' }, 'link', NOW).catch(() => undefined),
        deleteBlog(there, 'invited').catch(() => undefined),
      ]);
      expect(await here.listPeople(NOW)).toEqual([]);
    }
  });

  test('rotate the keys, and exactly one key stays valid', async () => {
    await createBlog(here, { id: 'rotated' }, NOW);
    for (let turn = 0; turn < TURNS; turn += 1) {
      await Promise.all([rotateKeys(here, 'rotated', NOW), rotateKeys(there, 'rotated', NOW)]);
      const valid = (await listKeys(here, 'rotated')).filter(({ revokedAt }) => revokedAt === null);
      expect(valid).toHaveLength(1);
    }
  });

  test('delete a blog and add a key to it, and no key of it is left', async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await createBlog(here, { id: 'gone' }, NOW);
      const [key] = await Promise.all([
        createKey(here, 'gone', NOW).catch(() => undefined),
        deleteBlog(there, 'gone').catch(() => undefined),
      ]);
      await createBlog(there, { id: 'gone' }, NOW);
      expect(key && (await there.findBlog(key.apiKey))).toBeUndefined();
      expect(await listKeys(there, 'gone')).toHaveLength(1);
      await deleteBlog(there, 'gone');
    }
  });
});
