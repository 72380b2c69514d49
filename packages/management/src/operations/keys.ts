import type { KeyRecord } from '@broadsheet/store';
import { newApiKey, sha256Hex } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { requireBlog } from './blogs.ts';
import { OperationError } from './operation-error.ts';

/** A key that was made, to be shown once, and the id it is listed by. */
export interface CreatedKey {
  readonly id: string;
  readonly apiKey: string;
}

/** The keys of a blog, revoked ones included; the keys themselves are not stored. @throws OperationError */
export async function listKeys(store: ManagedStore, blog: string): Promise<readonly KeyRecord[]> {
  const keys = await store.listKeys(blog);
  if (keys.length === 0) await requireBlog(store, blog);
  return keys;
}

/** Adds a key beside those there are. @throws OperationError */
export async function createKey(store: ManagedStore, blog: string, now: number): Promise<CreatedKey> {
  await requireBlog(store, blog);
  const apiKey = newApiKey();
  await store.addKey(blog, apiKey, now);
  return named(apiKey);
}

/** Revokes every key of a blog and makes a new one, in one step. @throws OperationError */
export async function rotateKeys(store: ManagedStore, blog: string, now: number): Promise<CreatedKey> {
  await requireBlog(store, blog);
  const apiKey = newApiKey();
  await store.rotateKey(blog, apiKey, now);
  return named(apiKey);
}

const named = async (apiKey: string): Promise<CreatedKey> => ({ id: (await sha256Hex(apiKey)).slice(0, 12), apiKey });

/** Revokes one key of a blog, by its id, or all of them, and says how many. @throws OperationError when that key is not valid */
export async function revokeKeys(
  store: ManagedStore,
  blog: string,
  key: string | undefined,
  now: number,
): Promise<number> {
  await requireBlog(store, blog);
  const revoked = await store.revokeKeys(blog, key, now);
  if (key === undefined || revoked > 0) return revoked;
  const valid = (await store.listKeys(blog)).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
  const known = valid.length === 0 ? 'it has none' : `it has ${valid.join(', ')}`;
  throw new OperationError(`${blog} has no valid key with the id ${JSON.stringify(key)}; ${known}.`, 'NOT_FOUND');
}
