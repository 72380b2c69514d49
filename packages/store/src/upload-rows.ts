import sql from 'sql-template-tag';
import { sha256Hex } from './blogs/api-key.ts';
import { type Db, insert } from './sql.ts';
import type { Tables } from './tables.ts';

/** Milliseconds for which content is kept until it is imported. */
export const CONTENT_LIFE = 60 * 60 * 1000;

/** The owner of a row, and the name of what it is a part of. */
export type UploadRow = Pick<Tables['uploads'], 'session_hash' | 'name'>;

/** Adds a row; `false` if it exists. */
export async function addUploadRow(
  db: Db,
  row: UploadRow & Pick<Tables['uploads'], 'expires_at'> & Partial<Tables['uploads']>,
): Promise<boolean> {
  const rows = [{ part: 0, content: '', ...row }];
  return (await insert(db, 'uploads', rows, sql`on conflict do nothing returning name`)).length > 0;
}

/** The session that sent an upload, and its name. */
export interface UploadKey {
  readonly session: string;
  readonly name: string;
}

/** The place of a row before the first part, which marks an upload as imported: it is no longer complete. */
const USED = -1;

/** Marks an upload as imported, so that it is not imported again. */
export async function useUpload(db: Db, { session, name }: UploadKey, now: number): Promise<void> {
  const row = { session_hash: await sha256Hex(session), name, part: USED };
  await addUploadRow(db, { ...row, expires_at: now + CONTENT_LIFE });
}
