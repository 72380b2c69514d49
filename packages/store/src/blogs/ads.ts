import type { SnapshotAd } from '@broadsheet/contract';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';
import { touchBlog } from './blogs.ts';

type AdRow = Selectable<Tables['ads']>;

/** An ad as it is stored. */
function toAdRow(blogId: string, ad: SnapshotAd): AdRow {
  return {
    blog_id: blogId,
    id: ad.id,
    format: ad.format,
    priority: ad.priority,
    active: Number(ad.active),
    starts_at: ad.startsAt,
    ends_at: ad.endsAt,
    image_url: ad.imageUrl,
    link_url: ad.linkUrl,
    title: ad.title,
    content: ad.content,
    link_text: ad.linkText,
  };
}

/** The ad of a row. */
export function toAd(row: AdRow): SnapshotAd {
  return {
    id: row.id,
    format: row.format,
    priority: row.priority,
    active: row.active === 1,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    imageUrl: row.image_url,
    linkUrl: row.link_url,
    title: row.title,
    content: row.content,
    linkText: row.link_text,
  };
}

/** Adds ads, or replaces those with the same id. */
export async function upsertAds(db: Kysely<Tables>, blogId: string, ads: readonly SnapshotAd[]): Promise<void> {
  await db
    .insertInto('ads')
    .values(ads.map((ad) => toAdRow(blogId, ad)))
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'id']).doUpdateSet((set) => ({
        format: set.ref('excluded.format'),
        priority: set.ref('excluded.priority'),
        active: set.ref('excluded.active'),
        starts_at: set.ref('excluded.starts_at'),
        ends_at: set.ref('excluded.ends_at'),
        image_url: set.ref('excluded.image_url'),
        link_url: set.ref('excluded.link_url'),
        title: set.ref('excluded.title'),
        content: set.ref('excluded.content'),
        link_text: set.ref('excluded.link_text'),
      })),
    )
    .execute();
}

/** Every ad of a blog, paused ones included, highest priority first. */
export async function readAds(db: Kysely<Tables>, blogId: string): Promise<SnapshotAd[]> {
  const rows = await db
    .selectFrom('ads')
    .selectAll()
    .where('blog_id', '=', blogId)
    .orderBy('priority', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAd);
}

/** Adds or replaces an ad; `false` when there is no such blog. */
export async function writeAd(db: Kysely<Tables>, blogId: string, ad: SnapshotAd): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  await upsertAds(db, blogId, [ad]);
  return true;
}

/** Pauses or resumes an ad; `false` when there is no such ad. */
export async function writeAdActive(
  db: Kysely<Tables>,
  blogId: string,
  adId: string,
  active: boolean,
): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  const changed = await db
    .updateTable('ads')
    .set({ active: Number(active) })
    .where('blog_id', '=', blogId)
    .where('id', '=', adId)
    .returning('id')
    .execute();
  return changed.length > 0;
}

/** Removes an ad and gives it back; `undefined` when there is none. */
export async function removeAd(db: Kysely<Tables>, blogId: string, adId: string): Promise<SnapshotAd | undefined> {
  if (!(await touchBlog(db, blogId))) return undefined;
  const removed = await db
    .deleteFrom('ads')
    .where('blog_id', '=', blogId)
    .where('id', '=', adId)
    .returningAll()
    .executeTakeFirst();
  return removed && toAd(removed);
}
