import { openDatabase } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { createUploadStore } from '../imports/uploads.ts';
import { openStore } from '../open-store.ts';
import type { ServerStore } from '../server-store.ts';
import { INVITATION_LIFE, SESSION_LIFE } from './people.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const ada = { name: 'Ada', role: 'manage', blogId: null } as const;
const ben = { name: 'Ben', role: 'view', blogId: 'news' } as const;

describeDatabases('people', (database) => {
  let store: ServerStore;
  let other: ServerStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    other = await openStore(database.url);
    await store.putBlog({ id: 'news', name: 'News' }, now);
  });
  afterAll(async () => {
    await store?.close();
    await other?.close();
  });

  test('a new database has no people', async () => {
    expect(await store.hasPeople()).toBe(false);
    expect(await store.listPeople(now)).toEqual([]);
    expect(await store.revokePerson('Ada')).toBe(false);
  });

  test('a link signs a person in once, and the session lasts thirty days', async () => {
    await store.invitePerson(ada, 'link', now);
    expect(await other.hasPeople()).toBe(true);
    expect(await other.findInvitation('link', now)).toEqual(ada);
    expect(await store.listPeople(now)).toEqual([
      { ...ada, invitedAt: new Date(now).toISOString(), sessions: 0, invited: true },
    ]);
    const both = await Promise.all([store.signIn('link', 's1', now), other.signIn('link', 's2', now)]);
    expect(both.filter(Boolean)).toEqual([ada]);
    expect(await store.signIn('link', 's3', now)).toBeUndefined();
    const session = both[0] ? 's1' : 's2';
    expect(await other.findSession(session, now + SESSION_LIFE - 1)).toEqual(ada);
    expect(await other.findSession(session, now + SESSION_LIFE)).toBeUndefined();
    expect(await other.findSession('another', now)).toBeUndefined();
    expect(await store.listPeople(now)).toMatchObject([{ sessions: 1, invited: false }]);
    await store.endSession(session);
    expect(await other.findSession(session, now)).toBeUndefined();
  });

  test('an invitation to a blog that does not exist is refused', async () => {
    const invited = store.invitePerson({ ...ben, blogId: 'nowhere' }, 'nowhere', now);
    await expect(invited).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('nowhere') });
  });

  test('a link is valid for an hour, and a new link for the same person replaces it', async () => {
    await store.invitePerson(ben, 'first', now);
    await store.invitePerson({ ...ben, role: 'manage' }, 'second', now);
    expect(await store.findInvitation('first', now)).toBeUndefined();
    expect(await store.findInvitation('second', now + INVITATION_LIFE)).toBeUndefined();
    expect(await store.signIn('second', 's', now + INVITATION_LIFE)).toBeUndefined();
    expect(await store.signIn('second', 's', now)).toBeUndefined();
    expect(await store.listPeople(now)).toMatchObject([{ name: 'Ada' }, { name: 'Ben', role: 'view' }]);
  });

  test('a link changes the role of a known person only when it is used', async () => {
    await store.invitePerson(ada, 'back', now);
    await store.signIn('back', 'ada is back', now);
    await store.invitePerson(ben, 'known', now);
    await store.signIn('known', 'his', now);
    const promoted = { name: 'Ben', role: 'manage', blogId: null } as const;
    await store.invitePerson(promoted, 'promotion', now);
    expect(await other.findSession('his', now)).toEqual(ben);
    expect(await other.findInvitation('promotion', now)).toEqual(promoted);
    expect(await other.signIn('promotion', 'new', now)).toEqual(promoted);
    expect(await store.findSession('his', now)).toEqual(promoted);
    await store.invitePerson(ben, 'demotion', now);
    expect(await store.signIn('demotion', 'newest', now)).toEqual(ben);
  });

  test('the last person who manages all blogs is not demoted, and revoked only on purpose', async () => {
    const demoted = { ...ada, role: 'view' } as const;
    await expect(store.invitePerson(demoted, 'x', now)).rejects.toThrow('nobody else manages all blogs');
    await expect(store.invitePerson({ ...ada, blogId: 'news' }, 'x', now)).rejects.toThrow('nobody else');
    await expect(store.revokePerson('Ada')).rejects.toThrow('nobody else manages all blogs');
    expect((await store.listPeople(now)).find(({ name }) => name === 'Ada')).toMatchObject(ada);
    const eve = { name: 'Eve', role: 'manage', blogId: null } as const;
    await store.invitePerson(eve, 'eve', now);
    // Somebody who has not signed in yet may never do so.
    await expect(store.revokePerson('Ada')).rejects.toThrow('nobody else manages all blogs');
    await store.signIn('eve', 'hers', now);
    await store.invitePerson(demoted, 'demoted', now);
    await store.invitePerson({ ...eve, role: 'view' }, 'eve demoted', now);
    expect(await store.signIn('demoted', 'ada', now)).toEqual(demoted);
    expect(await store.signIn('eve demoted', 'eve', now)).toEqual(eve);
    await store.invitePerson(ada, 'promoted', now);
    await store.signIn('promoted', 'ada again', now);
    const both = await Promise.allSettled([store.revokePerson('Ada'), other.revokePerson('Eve')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = both[0]?.status === 'fulfilled' ? 'Eve' : 'Ada';
    expect(await store.revokePerson(left, true)).toBe(true);
  });

  test('a revoked person is signed out in every process, and their links are invalid', async () => {
    await store.invitePerson(ben, 'again', now);
    expect(await store.signIn('again', 'open', now)).toEqual(ben);
    await store.invitePerson(ben, 'unused', now);
    expect(await other.revokePerson('Ben')).toBe(true);
    expect(await store.findSession('open', now)).toBeUndefined();
    expect(await store.signIn('unused', 's', now)).toBeUndefined();
    await store.invitePerson(ben, 'anew', now);
    expect(await store.findSession('open', now)).toBeUndefined();
    expect(await store.signIn('unused', 's', now)).toBeUndefined();
  });

  describe('the log', () => {
    const entry = (minute: number, who: string, blogId: string | null, what: string) => ({
      at: new Date(now + minute * 60_000).toISOString(),
      who,
      blogId,
      what,
    });
    const entries = [
      entry(3, 'Ada', null, 'invited Ben'),
      entry(2, 'Ada', 'news', 'paused the ad "100 % Tea"'),
      entry(1, 'Ben', 'other', 'published "Hello"'),
    ];

    test('the log is read newest first, with filters by blog and text, and in pages', async () => {
      for (const one of entries.toReversed()) await store.writeLog(one);
      expect(await other.readLog({ offset: 0, limit: 9 })).toEqual({ entries, total: 3 });
      expect(await store.readLog({ offset: 1, limit: 1 })).toEqual({ entries: entries.slice(1, 2), total: 3 });
      const of = async (query: object) =>
        (await store.readLog({ offset: 0, limit: 9, ...query })).entries.map(({ what }) => what);
      expect(await of({ oldestFirst: true, limit: 1 })).toEqual(['published "Hello"']);
      expect(await of({ blogId: 'news' })).toEqual(['paused the ad "100 % Tea"']);
      expect(await of({ search: 'BEN' })).toEqual(['invited Ben', 'published "Hello"']);
      expect(await of({ search: '0 %' })).toEqual(['paused the ad "100 % Tea"']);
      expect(await of({ search: 'p_used' })).toEqual([]);
    });

    test('a search in the log ignores case and accents in every alphabet', async () => {
      await store.writeLog(entry(4, 'Ærøskøbing Ünal', 'fold', 'published “École à Ярославль”'));
      for (const search of ['École', 'ecole', 'ÉCOLE', 'ярославль', 'ЯРО', 'ünal', 'UNAL', 'ÆRØ']) {
        expect([search, (await store.readLog({ search, offset: 0, limit: 9 })).total]).toEqual([search, 1]);
      }
    });
  });

  test('an entry of the log has at most 2,000 characters', async () => {
    const at = new Date(now).toISOString();
    await store.writeLog({ at, who: 'Eve', blogId: 'long', what: `deleted ${'😀'.repeat(1_000_000)}` });
    const { entries } = await store.readLog({ blogId: 'long', offset: 0, limit: 1 });
    expect(entries[0]?.what).toMatch(/^deleted (😀)+.?…$/u);
    expect(entries[0]?.what).toHaveLength(2000);
  });

  test('the database contains no token in plain text', async () => {
    await store.invitePerson(ada, 'a-token-in-plain', now);
    expect(JSON.stringify([await store.listPeople(now), await store.readLog({ offset: 0, limit: 9 })])).not.toContain(
      'a-token-in-plain',
    );
  });

  test('an upload that another one of the same session interrupts is missing, never truncated', async () => {
    const own = await openDatabase(database.url);
    onTestFinished(() => own.close());
    const second = { name: 'second', content: 'b'.repeat(2_500_000) };
    let steps = 0;
    const interrupted: typeof own.transact = async (work) => {
      // The first two transactions remove the previous upload and write the first part of this one.
      if (steps === 2) await other.saveUpload('uploader', second, now);
      steps += 1;
      return own.transact(work);
    };
    const first = { name: 'first', content: 'a'.repeat(2_500_000) };
    await createUploadStore({ ...own, transact: interrupted }, store).saveUpload('uploader', first, now);
    expect(steps).toBe(4);
    expect(await store.readUpload('uploader', 'first', now)).toBeUndefined();
    expect(await store.readUpload('uploader', 'second', now)).toBe(second.content);
  });
});
