import type { CommandStore } from '../server-store.ts';

/** The names of deleted ads: their own while they are in the recycle bin, then the first characters of their ids. */
export async function deletedAdNames(
  store: Pick<CommandStore, 'listBin'>,
  blog: string,
  now: number,
): Promise<(id: string) => string> {
  const { items } = await store.listBin(blog, now, { kinds: ['ad'] });
  const names = new Map(items.map(({ id, title }) => [id, title]));
  return (id) => names.get(id) || `Deleted ad ${id.slice(0, 8)}`;
}
