import { codeUnitOrder } from '@broadsheet/core';
import { type Database, lockBlog, sha256Hex, type Tables } from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';
import { readLog, writeLog } from './log.ts';
import { INVITATION_LIFE, type PeopleStore, type Person, type PersonRecord, SESSION_LIFE } from './people-store.ts';
import { readUpload, saveUpload } from './uploads.ts';

/** Who may use the panel, stored in a database beside its blogs. */
export function createPeopleStore({ reader, transact }: Pick<Database, 'reader' | 'transact'>): PeopleStore {
  return {
    hasPeople: async () => (await reader.selectFrom('people').select('name').limit(1).execute()).length > 0,
    listPeople: (now) => readPeople(reader, now),
    invitePerson: (person, token, now) => transact((transaction) => invite(transaction, person, token, now)),
    revokePerson: (name) => transact((transaction) => revokePerson(transaction, name)),
    findInvitation: (token, now) => findPerson(reader, 'invitations', token, now),
    signIn: (token, session, now) => transact((transaction) => signIn(transaction, token, session, now)),
    findSession: (session, now) => findPerson(reader, 'panel_sessions', session, now),
    async endSession(session) {
      const hash = await sha256Hex(session);
      await transact((db) => db.deleteFrom('panel_sessions').where('token_hash', '=', hash).execute());
    },
    saveUpload: (session, upload, now) => saveUpload(transact, session, upload, now),
    readUpload: (session, name, now) => readUpload(reader, session, name, now),
    writeLog: (entry) => transact((transaction) => writeLog(transaction, entry)),
    readLog: (query) => readLog(reader, query),
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

/** Adds or changes a person and gives them a link; one that was not used before is good no longer. */
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
  await db
    .deleteFrom('invitations')
    .where((row) => row.or([row('name', '=', person.name), row('expires_at', '<=', now)]))
    .execute();
  await db
    .insertInto('invitations')
    .values({ token_hash: await sha256Hex(token), name: person.name, expires_at: now + INVITATION_LIFE })
    .execute();
}

async function revokePerson(db: Kysely<Tables>, name: string): Promise<boolean> {
  await db.deleteFrom('invitations').where('name', '=', name).execute();
  await db.deleteFrom('panel_sessions').where('name', '=', name).execute();
  return (await db.deleteFrom('people').where('name', '=', name).returning('name').execute()).length > 0;
}

/** Whose link or session a token is, while it is good. */
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

/** Removing the link shows whether it was there: of two who use it at once, one is signed in. */
async function signIn(db: Kysely<Tables>, token: string, session: string, now: number): Promise<Person | undefined> {
  const [used] = await db
    .deleteFrom('invitations')
    .where('token_hash', '=', await sha256Hex(token))
    .returning(['name', 'expires_at'])
    .execute();
  if (!used || used.expires_at <= now) return undefined;
  await db.deleteFrom('panel_sessions').where('expires_at', '<=', now).execute();
  await db
    .insertInto('panel_sessions')
    .values({ token_hash: await sha256Hex(session), name: used.name, expires_at: now + SESSION_LIFE })
    .execute();
  return findPerson(db, 'panel_sessions', session, now);
}
