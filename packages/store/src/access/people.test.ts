import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../sql-store.ts';
import { INVITATION_LIFE } from './people.ts';
import { SESSION_LIFE } from './sessions.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const ada = { name: 'Ada', role: 'manage', blogId: null } as const;
const ben = { name: 'Ben', role: 'view', blogId: 'news' } as const;

describeDatabases('people', (database) => {
  let store: SqlStore;
  let other: SqlStore;
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
    expect(await store.revokePerson('Ada', now)).toBe('nobody');
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
    expect(await store.invitePerson({ ...ben, blogId: 'nowhere' }, 'nowhere', now)).toBe('no blog');
    expect(await store.findInvitation('nowhere', now)).toBeUndefined();
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
    expect(await store.invitePerson(demoted, 'x', now)).toBe('last manager');
    expect(await store.invitePerson({ ...ada, blogId: 'news' }, 'x', now)).toBe('last manager');
    expect(await store.revokePerson('Ada', now)).toBe('last manager');
    expect((await store.listPeople(now)).find(({ name }) => name === 'Ada')).toMatchObject(ada);
    const eve = { name: 'Eve', role: 'manage', blogId: null } as const;
    await store.invitePerson(eve, 'eve', now);
    // Somebody who has not signed in yet may never do so.
    expect(await store.revokePerson('Ada', now)).toBe('last manager');
    await store.signIn('eve', 'hers', now);
    await store.invitePerson(demoted, 'demoted', now);
    await store.invitePerson({ ...eve, role: 'view' }, 'eve demoted', now);
    expect(await store.signIn('demoted', 'ada', now)).toEqual(demoted);
    expect(await store.signIn('eve demoted', 'eve', now)).toEqual(eve);
    await store.invitePerson(ada, 'promoted', now);
    await store.signIn('promoted', 'ada again', now);
    const both = await Promise.all([store.revokePerson('Ada', now), other.revokePerson('Eve', now)]);
    expect(both.toSorted()).toEqual(['last manager', 'revoked']);
    const left = both[0] === 'revoked' ? 'Eve' : 'Ada';
    expect(await store.revokePerson(left, now, true)).toBe('revoked');
  });

  test('somebody whose session has expired does not count as a manager who is signed in', async () => {
    const later = now + SESSION_LIFE;
    const [one, two] = ['Mia', 'Noa'].map((name) => ({ name, role: 'manage', blogId: null }) as const);
    if (!one || !two) throw new Error('There are two.');
    await store.invitePerson(one, 'mia', now);
    await store.signIn('mia', 'of mia', now);
    await store.invitePerson(two, 'noa', later);
    await store.signIn('noa', 'of noa', later);
    // The session of Mia has expired, but a sign-in removes expired sessions: an older clock keeps it.
    await store.invitePerson(one, 'mia again', now);
    await store.signIn('mia again', 'of mia again', now);
    expect(await store.revokePerson('Noa', later)).toBe('last manager');
    expect(await store.revokePerson('Noa', later, true)).toBe('revoked');
    expect(await store.revokePerson('Mia', later, true)).toBe('revoked');
  });

  test('a revoked person is signed out in every process, and their links are invalid', async () => {
    await store.invitePerson(ben, 'again', now);
    expect(await store.signIn('again', 'open', now)).toEqual(ben);
    await store.invitePerson(ben, 'unused', now);
    expect(await other.revokePerson('Ben', now)).toBe('revoked');
    expect(await store.findSession('open', now)).toBeUndefined();
    expect(await store.signIn('unused', 's', now)).toBeUndefined();
    await store.invitePerson(ben, 'anew', now);
    expect(await store.findSession('open', now)).toBeUndefined();
    expect(await store.signIn('unused', 's', now)).toBeUndefined();
  });

  test('the database contains no token in plain text', async () => {
    await store.invitePerson(ada, 'a-token-in-plain', now);
    expect(JSON.stringify([await store.listPeople(now), await store.readLog({ offset: 0, limit: 9 })])).not.toContain(
      'a-token-in-plain',
    );
  });
});
