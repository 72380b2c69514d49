import { type KeyRecord, newApiKey, sha256Hex } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { requireBlog } from './blogs.ts';
import { OperationError } from './operation-error.ts';

/** A new key, which is shown once, and the id under which it is listed. */
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

/** Adds a key; the existing ones stay valid. @throws OperationError */
export const createKey = (store: ManagedStore, blog: string, now: number) => writeNewKey(store, 'addKey', blog, now);

/** Revokes every key of a blog and creates a new one, in one step. @throws OperationError */
export const rotateKeys = (store: ManagedStore, blog: string, now: number) =>
  writeNewKey(store, 'rotateKey', blog, now);

async function writeNewKey(
  store: ManagedStore,
  verb: 'addKey' | 'rotateKey',
  blog: string,
  now: number,
): Promise<CreatedKey> {
  await requireBlog(store, blog);
  const apiKey = newApiKey();
  await store[verb](blog, apiKey, now);
  return { id: (await sha256Hex(apiKey)).slice(0, 12), apiKey };
}

/** Revokes one key of a blog, by its id, or all; returns how many. @throws OperationError when that key is not valid */
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
