import type { SnapshotAd } from '@broadsheet/contract';
import type { CommandStore } from '../server-store.ts';

/** Whether an ad is delivered now: it is running, is paused, has not started, or is over. */
export type AdState = 'running' | 'paused' | 'waiting' | 'ended';

/** The state of an ad at an instant, in milliseconds since the epoch. An ad that is over has ended, paused or not. */
export function adState({ active, startsAt, endsAt }: SnapshotAd, now: number): AdState {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  if (!active) return 'paused';
  return startsAt !== null && Date.parse(startsAt) > now ? 'waiting' : 'running';
}

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
