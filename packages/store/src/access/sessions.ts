import { sha256Hex } from '../blogs/api-key.ts';
import type { Database } from '../database.ts';
import { type Db, insert, names } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { isLastManager, managesAll, type Person, type PersonRow, toPerson } from './people.ts';

/** Milliseconds for which a browser stays signed in. */
export const SESSION_LIFE = 30 * 24 * 60 * 60 * 1000;

/** The browsers in which people are signed in. A session is passed in plain text and stored as a hash. */
export function createSessions({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** The person to whom a link belongs, if it can be used now; it stays unused. */
    findInvitation: (token: string, now: number) => findPerson(reader, 'invitations', token, now),
    /** Uses a link and opens a session in one step, so that a link works once; `undefined` if it is used or expired. */
    signIn: (token: string, session: string, now: number) => transact((db) => signIn(db, token, session, now)),
    findSession: (session: string, now: number) => findPerson(reader, 'panel_sessions', session, now),
    async endSession(session: string): Promise<void> {
      const hash = await sha256Hex(session);
      await transact((db) => db`delete from panel_sessions where token_hash = ${hash}`);
    },
  };
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
  if (managesAll(used) || !(await isLastManager(db, used.name, now))) {
    await db`update people set role = ${role}, blog_id = ${blog_id} where name = ${used.name}`;
  }
  const opened = { token_hash: await sha256Hex(session), name: used.name, expires_at: now + SESSION_LIFE };
  await insert(db, 'panel_sessions', [opened]);
  return findPerson(db, 'panel_sessions', session, now);
}
