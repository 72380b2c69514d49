import { type BinEntry, type BinKey, ContentClash } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { requireBlog } from './blogs.ts';
import { OperationError } from './operation-error.ts';

/** The items of a blog that were deleted in the last thirty days, the latest first. @throws OperationError */
export async function listBin(store: ManagedStore, blog: string, now: number): Promise<readonly BinEntry[]> {
  const entries = await store.listBin(blog, now);
  if (entries.length === 0) await requireBlog(store, blog);
  return entries;
}

/**
 * Restores a deleted item as it was. Categories and tags that still exist are not changed.
 *
 * @param key the item to restore; without the time of its deletion, the latest with that id
 * @throws OperationError when the item is not in the bin, or another item has its id or its slug by now
 */
export async function restore(
  store: ManagedStore,
  blog: string,
  key: Omit<BinKey, 'deletedAt'> & Partial<BinKey>,
  now: number,
): Promise<BinEntry> {
  const entries = await listBin(store, blog, now);
  const same = ({ kind, id, deletedAt }: BinEntry) =>
    kind === key.kind && id === key.id && (key.deletedAt === undefined || deletedAt === key.deletedAt);
  const entry = entries.find(same);
  try {
    const restored = entry && (await store.restoreFromBin(blog, entry, now));
    if (restored) return restored;
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(error.clashes, 'CONFLICT');
  }
  const message = `There is no ${key.kind} ${JSON.stringify(key.id)} in the recycle bin of ${blog}`;
  throw new OperationError(`${message}: what was deleted stays there for 30 days.`, 'NOT_FOUND');
}
