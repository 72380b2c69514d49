import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { COMMAND_LINE } from '../src/commands/command.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { runCommand } from '../src/commands/run-command.ts';
import { NOW, run } from './run.ts';

const TURNS = 20;

describeDatabases('two operators at once', (database) => {
  /** To the database, these look like two processes. */
  let here: SqlStore;
  let there: SqlStore;
  beforeAll(async () => {
    [here, there] = [await openStore(database.url), await openStore(database.url)];
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
  });

  test('add a domain each, and both are kept', async () => {
    await run(here, 'blogs.create', 'domains', {});
    const hosts = Array.from({ length: TURNS }, (_, turn) => `host-${turn}.example`);
    await Promise.all(
      hosts.map((add, turn) => run(turn % 2 ? here : there, 'blogs.domains', 'domains', { add: [add] })),
    );
    const [blog] = await here.listBlogs('domains');
    expect([...(blog?.domains ?? [])].sort()).toEqual([...hosts].sort());
  });

  test('delete and edit the same ad, and it stays deleted', async () => {
    await run(here, 'blogs.create', 'ads', {});
    for (let turn = 0; turn < TURNS; turn += 1) {
      const { id } = await run(here, 'ads.add', 'ads', { format: 'BANNER', title: 'Tea' });
      const [edited] = await Promise.allSettled([
        run(here, 'ads.edit', 'ads', { ad: id, title: 'Coffee' }),
        run(there, 'ads.delete', 'ads', { ad: id }),
      ]);
      if (edited.status === 'rejected') expect(String(edited.reason)).toContain('There is no ad');
      expect(await here.listAllAds('ads')).toEqual([]);
    }
  });

  test('change the same ad, and the one who saw an older version gets a conflict', async () => {
    await run(here, 'blogs.create', 'stale', {});
    const ad = await run(here, 'ads.add', 'stale', { format: 'BANNER', title: 'Tea' });
    const edit = (store: SqlStore, title: string) => {
      const call = { name: 'ads.edit', blog: 'stale', args: { ad: ad.id, title }, actor: COMMAND_LINE };
      return runCommand({ store, now: NOW, commands: COMMANDS }, { ...call, seen: { title: 'Tea' } });
    };
    const edits = await Promise.allSettled([edit(here, 'Coffee'), edit(there, 'Cocoa')]);
    const [refused] = edits.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({
      reason: { code: 'CONFLICT', message: expect.stringContaining('changed in the meantime') },
    });
    const title = edits[0].status === 'rejected' ? 'Cocoa' : 'Coffee';
    expect(await here.listAllAds('stale')).toEqual([{ ...ad, title }]);
  });

  test('edit different fields of an ad, and all changes are kept', async () => {
    await run(here, 'blogs.create', 'edited', {});
    const { id } = await run(here, 'ads.add', 'edited', { format: 'BANNER', title: 'Tea' });
    const edits = [{ title: 'Coffee' }, { content: 'Hot' }, { linkText: 'Drink' }, { priority: '7' }];
    await Promise.all(
      edits.map((edit, turn) => run(turn % 2 ? here : there, 'ads.edit', 'edited', { ad: id, ...edit })),
    );
    const [ad] = await here.listAllAds('edited');
    expect(ad).toMatchObject({ title: 'Coffee', content: 'Hot', linkText: 'Drink', priority: 7 });
  });

  test('change the domains, and the one who saw an older list gets a conflict', async () => {
    await run(here, 'blogs.create', 'replaced', { domains: ['a.example'] });
    await run(there, 'blogs.domains', 'replaced', { add: ['b.example'] });
    const args = { domains: ['c.example'] };
    const call = { name: 'blogs.domains', blog: 'replaced', args, actor: COMMAND_LINE, seen: { domains: 'a.example' } };
    const refused = runCommand({ store: here, now: NOW, commands: COMMANDS }, call);
    await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('delete a blog and invite a person to it, and nobody has access to it afterwards', async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await run(here, 'blogs.create', 'invited', {});
      await Promise.all([
        here.invitePerson({ name: 'Ben', role: 'view', blogId: 'invited' }, 'link', NOW).catch(() => undefined),
        run(there, 'blogs.delete', 'invited', { yes: true }).catch(() => undefined),
      ]);
      expect(await here.listPeople(NOW)).toEqual([]);
    }
  });

  test('rotate the keys, and exactly one key stays valid', async () => {
    await run(here, 'blogs.create', 'rotated', {});
    for (let turn = 0; turn < TURNS; turn += 1) {
      await Promise.all([run(here, 'keys.rotate', 'rotated', {}), run(there, 'keys.rotate', 'rotated', {})]);
      const valid = (await here.listKeys('rotated')).filter(({ revokedAt }) => revokedAt === null);
      expect(valid).toHaveLength(1);
    }
  });

  test('delete a blog and add a key to it, and no key of it is left', async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await run(here, 'blogs.create', 'gone', {});
      const [key] = await Promise.all([
        run(here, 'keys.create', 'gone', {}).catch(() => undefined),
        run(there, 'blogs.delete', 'gone', { yes: true }).catch(() => undefined),
      ]);
      await run(there, 'blogs.create', 'gone', {});
      expect(key && (await there.findBlog(key.apiKey))).toBeUndefined();
      expect(await there.listKeys('gone')).toHaveLength(1);
      await run(there, 'blogs.delete', 'gone', { yes: true });
    }
  });
});
