import { codeUnitOrder } from '@broadsheet/core';
import { type Database, lockBlog, sha256Hex, type Tables } from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';
import { createReportLinkStore } from '../campaigns/report-links.ts';
import { readLog, writeLog } from './log.ts';
import {
  INVITATION_LIFE,
  type LogEntry,
  type LogQuery,
  type Person,
  type PersonRecord,
  SESSION_LIFE,
  type Upload,
} from './person.ts';
import { readUpload, saveUpload, useOnce } from './uploads.ts';

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
    hasPeople: async () => (await reader.selectFrom('people').select('name').limit(1).execute()).length > 0,
    listPeople: (now: number) => readPeople(reader, now),
    /** Adds a person, or changes their role and blog if the name exists; the token signs them in once. */
    invitePerson: (person: Person, token: string, now: number) => transact((db) => invite(db, person, token, now)),
    /** Removes a person with their sessions and links; `false` when nobody has this name. */
    revokePerson: (name: string) => transact((db) => revokePerson(db, name)),
    /** The person to whom a link belongs, if it can be used now; it stays unused. */
    findInvitation: (token: string, now: number) => findPerson(reader, 'invitations', token, now),
    /** Uses a link and opens a session in one step, so that a link works once; `undefined` if it is used or expired. */
    signIn: (token: string, session: string, now: number) => transact((db) => signIn(db, token, session, now)),
    findSession: (session: string, now: number) => findPerson(reader, 'panel_sessions', session, now),
    async endSession(session: string): Promise<void> {
      const hash = await sha256Hex(session);
      await transact((db) => db.deleteFrom('panel_sessions').where('token_hash', '=', hash).execute());
    },
    /** Stores content that a session sent, for an hour; earlier content of the session is removed. */
    saveUpload: (session: string, upload: Upload, now: number) => saveUpload(transact, session, upload, now),
    /** The content with this name that the session sent; `undefined` when it has expired or was replaced. */
    readUpload: (session: string, name: string, now: number) => readUpload(reader, session, name, now),
    /** Records that a form was sent, by its random number, for a day; `false` if it was sent before. */
    useOnce: (once: string, now: number) => transact((db) => useOnce(db, once, now)),
    writeLog: (entry: LogEntry) => transact((db) => writeLog(db, entry)),
    /** Returns the requested entries, and the number of all that match. */
    readLog: (query: LogQuery) => readLog(reader, query),
  };
}

type PersonRow = Omit<Tables['people'], 'invited_at'>;

const toPerson = ({ name, role, blog_id: blogId }: PersonRow): Person => ({ name, role, blogId });

/** Everybody, by name. */
async function readPeople(db: Kysely<Tables>, now: number): Promise<PersonRecord[]> {
  const open = (table: 'panel_sessions' | 'invitations') =>
    sql`(select count(*) from ${sql.table(table)} as open where open.name = people.name and expires_at > ${now})`;
  const { rows } = await sql<Tables['people'] & { sessions: number; links: number }>`
    select people.*, ${open('panel_sessions')} as sessions, ${open('invitations')} as links from people`.execute(db);
  return rows
    .map((row) => ({ ...toPerson(row), invitedAt: row.invited_at, sessions: row.sessions, invited: row.links > 0 }))
    .sort((a, b) => codeUnitOrder(a.name, b.name));
}

/** Adds or changes a person and gives them a link; an earlier link that was not used becomes invalid. */
async function invite(db: Kysely<Tables>, person: Person, token: string, now: number): Promise<void> {
  // A person invited to a blog while it is deleted must not see the next blog with its id.
  if (person.blogId !== null && !(await lockBlog(db, person.blogId))) {
    throw new Error(`There is no blog ${person.blogId}: create or import it first.`);
  }
  const rights = { role: person.role, blog_id: person.blogId };
  await db
    .insertInto('people')
    .values({ name: person.name, ...rights, invited_at: new Date(now).toISOString() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rights))
    .execute();
  await sql`delete from invitations where name = ${person.name} or expires_at <= ${now}`.execute(db);
  const invitation = { token_hash: await sha256Hex(token), name: person.name, expires_at: now + INVITATION_LIFE };
  await db.insertInto('invitations').values(invitation).execute();
}

async function revokePerson(db: Kysely<Tables>, name: string): Promise<boolean> {
  await db.deleteFrom('invitations').where('name', '=', name).execute();
  await db.deleteFrom('panel_sessions').where('name', '=', name).execute();
  return (await db.deleteFrom('people').where('name', '=', name).returning('name').execute()).length > 0;
}

/** The person to whom a link or session belongs, until it expires. */
async function findPerson(
  db: Kysely<Tables>,
  table: 'invitations' | 'panel_sessions',
  token: string,
  now: number,
): Promise<Person | undefined> {
  const { rows } = await sql<PersonRow>`
    select people.name, role, blog_id from people join ${sql.table(table)} as open on open.name = people.name
    where token_hash = ${await sha256Hex(token)} and expires_at > ${now}`.execute(db);
  return rows[0] && toPerson(rows[0]);
}

/** Deleting the link shows whether it existed: if two browsers use it at the same time, only one is signed in. */
async function signIn(db: Kysely<Tables>, token: string, session: string, now: number): Promise<Person | undefined> {
  const { rows } = await sql<Tables['invitations']>`
    delete from invitations where token_hash = ${await sha256Hex(token)} returning *`.execute(db);
  const [used] = rows;
  if (!used || used.expires_at <= now) return undefined;
  await db.deleteFrom('panel_sessions').where('expires_at', '<=', now).execute();
  const opened = { token_hash: await sha256Hex(session), name: used.name, expires_at: now + SESSION_LIFE };
  await db.insertInto('panel_sessions').values(opened).execute();
  return findPerson(db, 'panel_sessions', session, now);
}
