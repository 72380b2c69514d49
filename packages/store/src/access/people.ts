import { codeUnitOrder } from '@broadsheet/core';
import sql from 'sql-template-tag';
import { sha256Hex } from '../blogs/api-key.ts';
import { lockBlog } from '../blogs/blogs.ts';
import type { Database } from '../database.ts';
import { type Db, insert, names } from '../sql.ts';
import type { Tables } from '../tables.ts';

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

/** Milliseconds for which a sign-in link is valid. */
export const INVITATION_LIFE = 60 * 60 * 1000;

/**
 * The people who may use the panel. The tokens of their links are passed in plain text and stored as hashes. Nothing is
 * cached between calls, so every process refuses a revoked person at the next request.
 */
export function createPeople({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** Whether anybody was invited: without people, the panel is disabled. */
    hasPeople: async () => (await reader`select 1 from people limit 1`).length > 0,
    listPeople: (now: number) => readPeople(reader, now),
    /**
     * Adds a person; the token signs them in once. If the name exists, their role and blog change when it is used.
     * Nothing changes when their only blog does not exist, or when the last person who manages all blogs would be
     * demoted.
     */
    invitePerson: (person: Person, token: string, now: number): Promise<Invited> =>
      transact((db) => invite(db, person, token, now)),
    /** Removes a person with their sessions and links, unless nobody else manages all blogs and that is not intended. */
    revokePerson: (name: string, now: number, isLastIntended = false): Promise<'revoked' | 'nobody' | 'last manager'> =>
      transact(async (db) => {
        if (!isLastIntended && (await isLastManager(db, name, now))) return 'last manager';
        await db`delete from invitations where name = ${name}`;
        await db`delete from panel_sessions where name = ${name}`;
        return (await db`delete from people where name = ${name} returning name`).length > 0 ? 'revoked' : 'nobody';
      }),
  };
}

export type PersonRow = Omit<Tables['people'], 'invited_at'>;

export const toPerson = ({ name, role, blog_id: blogId }: PersonRow): Person => ({ name, role, blogId });

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

/** What became of an invitation. */
type Invited = 'invited' | 'no blog' | 'last manager';

/** Gives a person a link; an earlier link that was not used becomes invalid. */
async function invite(db: Db, person: Person, token: string, now: number): Promise<Invited> {
  // The lock prevents a row that is written while the blog is deleted, which would open the next blog with its id.
  if (person.blogId !== null && !(await lockBlog(db, person.blogId))) return 'no blog';
  const granted = { name: person.name, role: person.role, blog_id: person.blogId };
  if (!managesAll(granted) && (await isLastManager(db, person.name, now))) return 'last manager';
  const invited = { ...granted, invited_at: new Date(now).toISOString() };
  await insert(db, 'people', [invited], sql`on conflict do nothing`);
  await db`delete from invitations where name = ${person.name} or expires_at <= ${now}`;
  const invitation = { token_hash: await sha256Hex(token), ...granted, expires_at: now + INVITATION_LIFE };
  await insert(db, 'invitations', [invitation]);
  return 'invited';
}

export const managesAll = ({ role, blog_id }: Pick<PersonRow, 'role' | 'blog_id'>) =>
  role === 'manage' && blog_id === null;

/**
 * Whether a person is signed in and manages all blogs, and nobody else does: without them, nobody could invite people in
 * the panel. The update changes nothing, but locks these people until the transaction ends.
 */
export async function isLastManager(db: Db, name: string, now: number): Promise<boolean> {
  const rows = await db<Pick<PersonRow, 'name'>>`update people set role = role
    where role = 'manage' and blog_id is null
      and exists (select 1 from panel_sessions as open where open.name = people.name and expires_at > ${now})
    returning name`;
  return rows.length === 1 && rows[0]?.name === name;
}
