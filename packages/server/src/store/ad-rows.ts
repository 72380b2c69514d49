import type { SnapshotAd } from '@broadsheet/contract';
import type { Selectable } from 'kysely';
import type { Tables } from './tables.ts';

export type AdRow = Selectable<Tables['ads']>;

/** An ad as it is stored. */
export function toAdRow(blogId: string, ad: SnapshotAd): AdRow {
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
