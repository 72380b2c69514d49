import type { SnapshotBlogInput } from '@broadsheet/contract';
import type { Store } from '@broadsheet/core';

/** The time at which the sample is written. */
export const NOW = Date.parse('2026-03-01T12:00:00.000Z');
/** The same time as the store returns it. */
export const NOW_TEXT = '2026-03-01T12:00:00.000Z';
/** A range that includes everything. */
export const ALL = { offset: 0, limit: 1000 } as const;

type Posts = NonNullable<SnapshotBlogInput['posts']>;
type Ads = NonNullable<SnapshotBlogInput['ads']>;

/** A published post named by its id. */
export function post(id: string, more: Partial<Posts[number]> = {}): Posts[number] {
  return { id, title: `Title ${id}`, slug: `slug-${id}`, publishedAt: '2026-01-01T00:00:00.000Z', ...more };
}

/** An ad id that ends in a number. */
export const adId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A banner named by its number. */
export function ad(number: number, more: Partial<Ads[number]> = {}): Ads[number] {
  return { id: adId(number), format: 'BANNER', ...more };
}

/** Writes a blog with the given parts. Its id is `b` by default. */
export async function put(store: Pick<Store, 'putBlog'>, parts: Partial<SnapshotBlogInput>, now = NOW): Promise<void> {
  await store.putBlog({ id: 'b', name: 'A blog', ...parts }, now);
}

/** The sums of a blog by ad and day, without slots that stayed empty. */
export const byAdAndDay = async (store: Pick<Store, 'figures'>, blogId = 'b') =>
  (await store.figures(blogId, { by: ['day', 'ad'] })).filter(({ ad: id }) => id !== '');

/** The impressions of a blog. */
export const impressionsOf = async (store: Pick<Store, 'figures'>, blogId = 'b'): Promise<number> =>
  (await byAdAndDay(store, blogId)).reduce((sum, { delivered }) => sum + delivered, 0);

/** The ids of a list. */
export const ids = (items: readonly { readonly id: string }[]): string[] => items.map((item) => item.id);
