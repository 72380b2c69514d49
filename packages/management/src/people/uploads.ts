import { sha256Hex, type Tables, type Transact } from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';
import { UPLOAD_LIFE, type Upload } from './person.ts';

/** Characters per row: each row is written in a separate transaction, so that other writes need not wait for all. */
const PART = 1024 * 1024;

/** A session has one upload at a time, so that nobody fills the database. */
export async function saveUpload(
  transact: Transact,
  session: string,
  { name, content }: Upload,
  now: number,
): Promise<void> {
  const owner = { session_hash: await sha256Hex(session), name, expires_at: now + UPLOAD_LIFE };
  const before = sql`delete from uploads where session_hash = ${owner.session_hash} or expires_at <= ${now}`;
  await transact((db) => before.execute(db));
  for (let part = 0; part * PART < content.length; part += 1) {
    const row = { ...owner, part, content: content.slice(part * PART, (part + 1) * PART) };
    await transact((db) => db.insertInto('uploads').values(row).execute());
  }
}

export async function readUpload(
  db: Kysely<Tables>,
  session: string,
  name: string,
  now: number,
): Promise<string | undefined> {
  const { rows } = await sql<Pick<Tables['uploads'], 'part' | 'content'>>`
    select part, content from uploads
    where session_hash = ${await sha256Hex(session)} and name = ${name} and expires_at > ${now} order by part`.execute(
    db,
  );
  // Another upload of the session, in another process, removed the parts that this one had written by then.
  const isComplete = rows.length > 0 && rows.every(({ part }, index) => part === index);
  return isComplete ? rows.map(({ content }) => content).join('') : undefined;
}
