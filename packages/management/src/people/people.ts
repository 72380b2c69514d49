import { codeUnitOrder } from '@broadsheet/core';
import { type Database, type Db, insert, names, sha256Hex, type Tables } from '@broadsheet/store';
import sql from 'sql-template-tag';
import { createReportLinkStore } from '../campaigns/report-links.ts';
import { lockBlogOf } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import { type LogEntry, type LogQuery, readLog, writeLog } from './log.ts';

/** The rights of a person in the panel: to change things, or only to view them. */
export const ROLES = ['manage', 'view'] as const;
export type Role = (typeof ROLES)[number];

/** A person who may sign in to the panel. */
export interface Person {
  /** The name, which is also the id. */
  readonly name: string;
  readonly role: Role;
  /** The only blog that they see; `null` for all blogs. */
  readonly blogId: string | null;
}

/** Milliseconds for which a sign-in link is valid, and for which a browser stays signed in. */
export const INVITATION_LIFE = 60 * 60 * 1000;
export const SESSION_LIFE = 30 * 24 * 60 * 60 * 1000;

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/**
 * The people who may use the panel, the log of what they did, and the links that they give to sponsors, stored in the
 * same database as the blogs. Tokens are passed in plain text and stored as hashes. Nothing is cached between calls, so
 * a revoked person is signed out at the next request to any process.
 */
export function createPeopleStore({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    ...createReportLinkStore({ reader, transact }),
    /** Whether anybody was invited: without people, the panel is disabled. */
    hasPeople: async () => (await reader`select 1 from people limit 1`).length > 0,
    listPeople: (now: number) => readPeople(reader, now),
    /**
     * Adds a person; the token signs them in once. If the name exists, their role and blog change when it is used.
     *
     * @throws OperationError when the blog does not exist, or the last person who manages all blogs would be demoted
     */
    invitePerson: (person: Person, token: string, now: number) => transact((db) => invite(db, person, token, now)),
    /**
     * Removes a person with their sessions and links; `false` when nobody has this name.
     *
     * @throws OperationError when nobody else manages all blogs, unless that is intended
     */
    revokePerson: (name: string, isLastIntended = false) =>
      transact(async (db) => {
        if (!isLastIntended && (await isLastManager(db, name))) {
          const then = 'afterwards, only somebody with a shell on the server can invite people';
          throw new OperationError(
            `${name} was not revoked, because nobody else manages all blogs. Add --yes to revoke this access: ${then}.`,
            'CONFLICT',
          );
        }
        await db`delete from invitations where name = ${name}`;
        await db`delete from panel_sessions where name = ${name}`;
        return (await db`delete from people where name = ${name} returning name`).length > 0;
      }),
    /** The person to whom a link belongs, if it can be used now; it stays unused. */
    findInvitation: (token: string, now: number) => findPerson(reader, 'invitations', token, now),
    /** Uses a link and opens a session in one step, so that a link works once; `undefined` if it is used or expired. */
    signIn: (token: string, session: string, now: number) => transact((db) => signIn(db, token, session, now)),
    findSession: (session: string, now: number) => findPerson(reader, 'panel_sessions', session, now),
    async endSession(session: string): Promise<void> {
      const hash = await sha256Hex(session);
      await transact((db) => db`delete from panel_sessions where token_hash = ${hash}`);
    },
    writeLog: (entry: LogEntry) => transact((db) => writeLog(db, entry)),
    /** Returns the requested entries, and the number of all that match. */
    readLog: (query: LogQuery) => readLog(reader, query),
  };
}

type PersonRow = Omit<Tables['people'], 'invited_at'>;

const toPerson = ({ name, role, blog_id: blogId }: PersonRow): Person => ({ name, role, blogId });

/** Everybody, by name. */
async function readPeople(db: Db, now: number) {
  const open = (table: 'panel_sessions' | 'invitations') =>
    sql`(select count(*) from ${names(table)} as open where open.name = people.name and expires_at > ${now})`;
  const rows = await db<Tables['people'] & { sessions: number; links: number }>`
    select people.*, ${open('panel_sessions')} as sessions, ${open('invitations')} as links from people`;
  const people = rows.map((row) => ({
    ...toPerson(row),
    invitedAt: row.invited_at,
    /** The number of browsers in which they are signed in. */
    sessions: row.sessions,
    /** Whether a sign-in link of theirs is still unused. */
    invited: row.links > 0,
  }));
  return people.sort((a, b) => codeUnitOrder(a.name, b.name));
}

export type PersonRecord = Awaited<ReturnType<typeof readPeople>>[number];

/** Gives a person a link; an earlier link that was not used becomes invalid. */
async function invite(db: Db, person: Person, token: string, now: number): Promise<void> {
  await lockBlogOf(db, person.blogId);
  const granted = { name: person.name, role: person.role, blog_id: person.blogId };
  if (!managesAll(granted) && (await isLastManager(db, person.name))) {
    const message = `${person.name} keeps the role manage for all blogs, because nobody else manages all blogs. Invite somebody else with that role, and change the role of ${person.name} after they have signed in`;
    throw new OperationError([{ at: 'name', message }], 'CONFLICT');
  }
  const invited = { ...granted, invited_at: new Date(now).toISOString() };
  await insert(db, 'people', [invited], sql`on conflict do nothing`);
  await db`delete from invitations where name = ${person.name} or expires_at <= ${now}`;
  const invitation = { token_hash: await sha256Hex(token), ...granted, expires_at: now + INVITATION_LIFE };
  await insert(db, 'invitations', [invitation]);
}

const managesAll = ({ role, blog_id }: Pick<PersonRow, 'role' | 'blog_id'>) => role === 'manage' && blog_id === null;

/**
 * Whether a person is signed in and manages all blogs, and nobody else does: without them, nobody could invite people in
 * the panel. The update changes nothing, but locks these people until the transaction ends.
 */
async function isLastManager(db: Db, name: string): Promise<boolean> {
  const rows = await db<Pick<PersonRow, 'name'>>`update people set role = role
    where role = 'manage' and blog_id is null
      and exists (select 1 from panel_sessions as open where open.name = people.name) returning name`;
  return rows.length === 1 && rows[0]?.name === name;
}

/** The person to whom a link or session belongs, until it expires. */
async function findPerson(
  db: Db,
  table: 'invitations' | 'panel_sessions',
  token: string,
  now: number,
): Promise<Person | undefined> {
  const rights = names(table === 'invitations' ? 'open' : 'people');
  const rows = await db<PersonRow>`
    select people.name, ${rights}.role, ${rights}.blog_id
    from people join ${names(table)} as open on open.name = people.name
    where token_hash = ${await sha256Hex(token)} and expires_at > ${now}`;
  return rows[0] && toPerson(rows[0]);
}

/**
 * Signs in with the rights of the link, unless they would demote the last person who manages all blogs. Deleting the link
 * shows whether it existed: if two browsers use it at the same time, only one is signed in.
 */
async function signIn(db: Db, token: string, session: string, now: number): Promise<Person | undefined> {
  const rows = await db<Tables['invitations']>`
    delete from invitations where token_hash = ${await sha256Hex(token)} returning *`;
  const [used] = rows;
  if (!used || used.expires_at <= now) return undefined;
  await db`delete from panel_sessions where expires_at <= ${now}`;
  const { role, blog_id } = used;
  if (managesAll(used) || !(await isLastManager(db, used.name))) {
    await db`update people set role = ${role}, blog_id = ${blog_id} where name = ${used.name}`;
  }
  const opened = { token_hash: await sha256Hex(session), name: used.name, expires_at: now + SESSION_LIFE };
  await insert(db, 'panel_sessions', [opened]);
  return findPerson(db, 'panel_sessions', session, now);
}
