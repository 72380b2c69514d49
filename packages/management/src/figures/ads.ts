import type { SnapshotAd } from '@broadsheet/contract';
import type { Figure } from '@broadsheet/core';
import { adName } from '@broadsheet/store';
import type { CommandStore } from '../server-store.ts';
import { type MeasuredDays, type Total, totalOf } from './totals.ts';

/** The totals of one ad. */
export interface AdTotal extends Total {
  readonly id: string;
  /** `deleted` for a deleted ad, whose figures stay. */
  readonly format: string;
  /** See `adName`. */
  readonly title: string;
}

/** The totals of ads, and of deleted ads that have figures; see `deletedAdNames`. */
export function adTotals(
  ads: readonly SnapshotAd[],
  figures: readonly Figure<'ad' | 'day'>[],
  measured: MeasuredDays,
  nameOfDeleted: (id: string) => string,
): AdTotal[] {
  const byAd = Map.groupBy(figures, ({ ad }) => ad);
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...byAd.keys()].filter((id) => id !== '' && !known.has(id));
  const total = (id: string) => totalOf(byAd.get(id) ?? [], measured);
  return [
    ...ads.map((ad) => ({ id: ad.id, format: ad.format, title: adName(ad), ...total(ad.id) })),
    ...deleted.map((id) => ({ id, format: 'deleted', title: nameOfDeleted(id), ...total(id) })),
  ];
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
