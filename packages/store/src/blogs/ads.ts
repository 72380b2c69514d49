import { LIMITS, SnapshotAd } from '@broadsheet/contract';
import type { Kysely } from 'kysely';
import { excluded, type Tables } from '../tables.ts';
import { requireRoom } from './clashes.ts';

type AdRow = Tables['ads'];

/** The fields of an ad with their columns: `linkUrl` with `link_url`. */
const FIELDS = Object.keys(SnapshotAd.fields).map((name) => {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name as keyof SnapshotAd, column as keyof AdRow] as const;
});

function toAdRow(blogId: string, ad: SnapshotAd): AdRow {
  const columns = FIELDS.map(([name, column]) => {
    const value = ad[name];
    return [column, typeof value === 'boolean' ? Number(value) : (value ?? null)];
  });
  // `AdRow` has exactly the columns of the fields.
  return { blog_id: blogId, ...Object.fromEntries(columns) } as AdRow;
}

function toAd(row: AdRow): SnapshotAd {
  const given = FIELDS.filter(([name, column]) => row[column] !== null || SnapshotAd.fields[name]?.kind !== 'optional');
  return {
    ...Object.fromEntries(given.map(([name, column]) => [name, row[column]])),
    active: row.active === 1,
  } as SnapshotAd;
}

/** The number of characters of the text of an ad that replace a missing title. */
const NAME_LENGTH = 60;

/** The name of an ad in lists: its own, otherwise its title, its text, its image or its link. */
export function adName({ id, name, title, content, imageUrl, linkUrl }: SnapshotAd): string {
  const text = content?.trim().slice(0, NAME_LENGTH).toWellFormed();
  const file = imageUrl?.startsWith('data:') ? 'Image' : imageUrl?.split(/[?#]/)[0]?.split('/').findLast(Boolean);
  return name?.trim() || title?.trim() || text || file || linkUrl || id;
}

/** Adds ads, or replaces those with the same id. @throws ContentClash when the blog has too many */
export async function upsertAds(db: Kysely<Tables>, blogId: string, ads: readonly SnapshotAd[]): Promise<void> {
  await db
    .insertInto('ads')
    .values(ads.map((ad) => toAdRow(blogId, ad)))
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'id']).doUpdateSet(excluded(FIELDS.map(([, column]) => column))),
    )
    .execute();
  await requireRoom(db, blogId, 'ads', LIMITS.ads);
}

/** The ads of a blog, highest priority first; `active` excludes paused ads. */
export async function readAds(
  db: Kysely<Tables>,
  blogId: string,
  { active = false }: { readonly active?: boolean } = {},
): Promise<SnapshotAd[]> {
  const rows = await db
    .selectFrom('ads')
    .selectAll()
    .where('blog_id', '=', blogId)
    .$if(active, (query) => query.where('active', '=', 1))
    .orderBy('priority', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAd);
}

/** Whether two ads have the same fields. */
export const isSameAd = (one: SnapshotAd, other: SnapshotAd | undefined): boolean =>
  FIELDS.every(([name]) => one[name] === other?.[name]);

/** Removes and returns an ad; `undefined` when it does not exist. */
export async function removeAd(db: Kysely<Tables>, blogId: string, adId: string): Promise<SnapshotAd | undefined> {
  const ad = db.deleteFrom('ads').where('blog_id', '=', blogId).where('id', '=', adId);
  const row = await ad.returningAll().executeTakeFirst();
  return row && toAd(row);
}
