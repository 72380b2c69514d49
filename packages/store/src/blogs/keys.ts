import { codeUnitOrder } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { sha256Hex } from './api-key.ts';
import { lockBlog } from './blogs.ts';

/** A key as the operator sees it: the key itself is never stored. */
export interface KeyRecord {
  /** The first twelve hex digits of the key's SHA-256: enough to name it. */
  readonly id: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

const ID_DIGITS = 12;

/** The keys of a blog, oldest first. */
export async function readKeys(db: Kysely<Tables>, blogId: string): Promise<KeyRecord[]> {
  const rows = await db.selectFrom('api_keys').selectAll().where('blog_id', '=', blogId).execute();
  return rows
    .sort((a, b) => codeUnitOrder(a.created_at, b.created_at) || codeUnitOrder(a.key_hash, b.key_hash))
    .map((row) => ({ id: row.key_hash.slice(0, ID_DIGITS), createdAt: row.created_at, revokedAt: row.revoked_at }));
}

/** Makes a key open a blog. @throws Error when it was given out before or the blog does not exist */
export async function writeKey(db: Kysely<Tables>, blogId: string, apiKey: string, now: number): Promise<void> {
  if (!(await lockBlog(db, blogId))) throw new Error(`There is no blog ${blogId}: create or import it first.`);
  const added = await db
    .insertInto('api_keys')
    .values({
      key_hash: await sha256Hex(apiKey),
      blog_id: blogId,
      created_at: new Date(now).toISOString(),
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key_hash')
    .execute();
  if (added.length === 0) throw new Error('This API key was given out before: make a new one.');
}

/** Revokes the keys of a blog, or the one with this id; counts those that were not revoked before. */
export async function revoke(
  db: Kysely<Tables>,
  blogId: string,
  keyId: string | undefined,
  now: number,
): Promise<number> {
  if (!(await lockBlog(db, blogId))) return 0;
  const open = await db
    .selectFrom('api_keys')
    .select('key_hash')
    .where('blog_id', '=', blogId)
    .where('revoked_at', 'is', null)
    .execute();
  const hashes = open
    .map(({ key_hash }) => key_hash)
    .filter((hash) => keyId === undefined || hash.slice(0, ID_DIGITS) === keyId);
  if (hashes.length === 0) return 0;
  await db
    .updateTable('api_keys')
    .set({ revoked_at: new Date(now).toISOString() })
    .where('key_hash', 'in', hashes)
    .execute();
  return hashes.length;
}
