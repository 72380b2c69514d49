import { LIMITS, SnapshotAd } from '@broadsheet/contract';
import sql, { empty, join } from 'sql-template-tag';
import { type Db, insert, updating } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { requireRoom } from './clashes.ts';

type AdRow = Tables['ads'];

/** The fields of an ad with their columns, such as `linkUrl` with `link_url`. */
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

/** The name of an ad in lists: its name, otherwise its title, its text, its image or its link. */
export const adName = (ad: SnapshotAd): string => ad.name?.trim() || adTitle(ad);

/** The title of an ad for its sponsor: its title or its text, and its name only if it has neither. */
export function adTitle({ id, name, title, content, imageUrl, linkUrl }: SnapshotAd): string {
  const text = content?.trim().slice(0, NAME_LENGTH).toWellFormed();
  const file = imageUrl?.startsWith('data:') ? 'Image' : imageUrl?.split(/[?#]/)[0]?.split('/').findLast(Boolean);
  return title?.trim() || text || name?.trim() || file || linkUrl || id;
}

/** An ad as it was when it left a campaign. */
export interface LeftAd extends Pick<SnapshotAd, 'id' | 'format'> {
  /** See {@link adTitle}. */
  readonly title: string;
}

/** The ads that have left a campaign, which may have come back. */
export const readLeftAds = (db: Db, blogId: string, campaignId: string): Promise<LeftAd[]> =>
  db`select ad_id as id, format, title from campaign_ads where blog_id = ${blogId} and campaign_id = ${campaignId}`;

/** Keeps what ads were for the campaigns that they leave. */
async function keepLeftAds(db: Db, blogId: string, ads: readonly SnapshotAd[]): Promise<void> {
  const rows = ads.flatMap((ad) => {
    const { id, campaignId, format } = ad;
    if (campaignId === undefined) return [];
    return [{ blog_id: blogId, campaign_id: campaignId, ad_id: id, format, title: adTitle(ad) }];
  });
  if (rows.length > 0) await insert(db, 'campaign_ads', rows, updating('campaign_ads'));
}

/** Adds ads, or replaces those with the same id. @throws ContentClash when the blog has too many */
export async function upsertAds(db: Db, blogId: string, ads: readonly SnapshotAd[]): Promise<void> {
  if (ads.length === 0) return;
  const rows = ads.map((ad) => toAdRow(blogId, ad));
  const campaigns = new Map(ads.map(({ id, campaignId }) => [id, campaignId]));
  const before = await db<AdRow>`select * from ads
    where blog_id = ${blogId} and campaign_id is not null and id in (${join([...campaigns.keys()])})`;
  const left = before.map(toAd).filter(({ id, campaignId }) => campaigns.get(id) !== campaignId);
  await keepLeftAds(db, blogId, left);
  await insert(db, 'ads', rows, updating('ads'));
  await requireRoom(db, blogId, 'ads', LIMITS.ads);
}

/** The ads of a blog, highest priority first; `active` excludes paused ads. */
export async function readAds(
  db: Db,
  blogId: string,
  { active = false }: { readonly active?: boolean } = {},
): Promise<SnapshotAd[]> {
  const rows = await db<AdRow>`select * from ads where blog_id = ${blogId} ${active ? sql`and active = 1` : empty}
    order by priority desc, id`;
  return rows.map(toAd);
}

/** Whether two ads have the same fields. */
export const isSameAd = (one: SnapshotAd, other: SnapshotAd | undefined): boolean =>
  FIELDS.every(([name]) => one[name] === other?.[name]);

/** Removes and returns an ad; `undefined` when it does not exist. */
export async function removeAd(db: Db, blogId: string, adId: string): Promise<SnapshotAd | undefined> {
  const [row] = await db<AdRow>`delete from ads where blog_id = ${blogId} and id = ${adId} returning *`;
  if (!row) return undefined;
  const ad = toAd(row);
  await keepLeftAds(db, blogId, [ad]);
  return ad;
}
