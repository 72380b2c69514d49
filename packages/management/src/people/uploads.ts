import { sha256Hex, type Tables, type Transact } from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';
import { toBase64 } from '../imports/base64.ts';
import { imageUpload, UPLOAD_LIFE, type Upload } from './person.ts';

/** Milliseconds for which a form that was sent is remembered. */
const FORM_LIFE = 24 * 60 * 60 * 1000;

/** Records that a form was sent, by its number; `false` if it was sent before. */
export async function useOnce(db: Kysely<Tables>, once: string, now: number): Promise<boolean> {
  const form = { session_hash: await sha256Hex(`form ${once}`), name: '', part: 0, content: '' };
  const added = await db
    .insertInto('uploads')
    .values({ ...form, expires_at: now + FORM_LIFE })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  return added.length > 0;
}

/** Characters per row: each row is written in a separate transaction, so that other writes need not wait for all. */
const PART = 1024 * 1024;

/** A session has one upload at a time, so that nobody fills the database. */
export async function saveUpload(
  transact: Transact,
  session: string,
  { name, content, images = [] }: Upload,
  now: number,
): Promise<void> {
  const owner = { session_hash: await sha256Hex(session), expires_at: now + UPLOAD_LIFE };
  const before = sql`delete from uploads where session_hash = ${owner.session_hash} or expires_at <= ${now}`;
  await transact((db) => before.execute(db));
  const save = async (of: string, text: string): Promise<void> => {
    for (let part = 0; part * PART < text.length; part += 1) {
      const row = { ...owner, name: of, part, content: text.slice(part * PART, (part + 1) * PART) };
      await transact((db) => db.insertInto('uploads').values(row).execute());
    }
  };
  await save(name, content);
  for (const { hash, bytes } of images) await save(imageUpload(name, hash), toBase64(bytes));
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
