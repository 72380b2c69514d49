import { LIMITS } from '@broadsheet/contract';
import sql from 'sql-template-tag';
import type { Session } from '../session.ts';
import { type Db, insert } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { sha256Hex, startOfKey } from './api-key.ts';
import { lockBlog } from './blogs.ts';
import { type Clash, ContentClash, requireRoom } from './clashes.ts';

/** A key as the operator sees it: the key itself is never stored. */
export interface KeyRecord {
  /** The first twelve hex digits of the key's SHA-256, which are enough to identify it. */
  readonly id: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Its label, as the operator wrote it. */
  readonly label: string | null;
  /** Its first characters; `null` for a short key. */
  readonly start: string | null;
  /** When it was last used, to the hour. */
  readonly usedAt: string | null;
}

const ID_DIGITS = 12;

/** The keys of a blog, oldest first. */
export async function readKeys(db: Db, blogId: string): Promise<KeyRecord[]> {
  const rows = await db<Tables['api_keys']>`select * from api_keys where blog_id = ${blogId}
    order by created_at, key_hash`;
  return rows.map(({ key_hash, created_at: createdAt, revoked_at: revokedAt, label, start, used_at }) => ({
    ...{ id: key_hash.slice(0, ID_DIGITS), createdAt, revokedAt, label, start },
    usedAt: used_at === null ? null : new Date(used_at).toISOString(),
  }));
}

/**
 * Adds a key to a blog.
 *
 * @throws ContentClash when the key was used before, or the blog does not exist or has too many keys
 */
export async function writeKey(
  db: Db,
  blogId: string,
  { apiKey, label = '' }: { readonly apiKey: string; readonly label?: string | undefined },
  now: number,
): Promise<void> {
  const clash = (code: Clash['code'], message: string) => new ContentClash([{ code, blogId, message }]);
  if (!(await lockBlog(db, blogId))) throw clash('NO_BLOG', `there is no blog ${blogId}; create or import it first`);
  const row = {
    key_hash: await sha256Hex(apiKey),
    blog_id: blogId,
    created_at: new Date(now).toISOString(),
    label: label || null,
    start: startOfKey(apiKey),
  };
  const added = await insert(db, 'api_keys', [row], sql`on conflict do nothing returning key_hash`);
  if (added.length === 0) throw clash('KEY_IN_USE', 'this API key was used before; create a new one');
  await requireRoom(db, blogId, 'keys', LIMITS.keys);
}

/** The methods of operators for the keys of a blog. */
export function createKeyManagement({ database: { reader }, change }: Session) {
  return {
    listKeys: (blogId: string): Promise<readonly KeyRecord[]> => readKeys(reader, blogId),
    /** Adds a key, of which only a hash is stored. */
    addKey: (blogId: string, apiKey: string, now: number, label?: string): Promise<void> =>
      change(blogId, (db) => writeKey(db, blogId, { apiKey, label }, now)),
    /** Revokes every key of the blog, or the one with this id; returns how many it revoked. */
    revokeKeys: (blogId: string, keyId: string | undefined, now: number): Promise<number> =>
      change(blogId, (db) => revoke(db, blogId, keyId, now)),
    /** Revokes every key of the blog and adds the new one, in one step. */
    rotateKey: (blogId: string, apiKey: string, now: number, label?: string): Promise<void> =>
      change(blogId, async (db) => {
        // `revoke` locks the blog first, so of two concurrent rotations, the second revokes the key of the first.
        await revoke(db, blogId, undefined, now);
        await writeKey(db, blogId, { apiKey, label }, now);
      }),
  };
}

/** Revokes the keys of a blog, or the one with this id; returns how many were still valid. */
async function revoke(db: Db, blogId: string, keyId: string | undefined, now: number): Promise<number> {
  if (!(await lockBlog(db, blogId))) return 0;
  const chosen = keyId === undefined ? sql`true` : sql`substr(key_hash, 1, ${ID_DIGITS}) = ${keyId}`;
  const rows = await db`update api_keys set revoked_at = ${new Date(now).toISOString()}
    where blog_id = ${blogId} and revoked_at is null and ${chosen} returning key_hash`;
  return rows.length;
}
