import type { SearchResultItem } from '@broadsheet/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../tables.ts';

/** What a search result is read from. */
export const RESULT_COLUMNS = [
  'posts.id',
  'posts.title',
  'posts.subtitle',
  'posts.slug',
  'posts.cover_url',
  'posts.published_at',
] as const;

export type ResultRow = Pick<
  Selectable<Tables['posts']>,
  'id' | 'title' | 'subtitle' | 'slug' | 'cover_url' | 'published_at'
>;

/** A post as a search finds it. */
export function toResult(row: ResultRow): SearchResultItem {
  return {
    id: row.id,
    title: row.title,
    subtitle: row.subtitle,
    slug: row.slug,
    coverUrl: row.cover_url,
    publishedAt: row.published_at,
  };
}
