import type { Post, SearchResultItem } from '@broadsheet/contract';
import type { Selectable } from 'kysely';
import type { Tables } from './tables.ts';

/** What a post is read from. */
export const POST_COLUMNS = [
  'posts.id',
  'posts.title',
  'posts.subtitle',
  'posts.content',
  'posts.slug',
  'posts.status',
  'posts.published_at',
  'posts.scheduled_at',
  'posts.blog_id',
  'posts.author_id',
  'posts.created_at',
  'posts.updated_at',
  'posts.categories',
  'posts.tags',
] as const;

type Column = (typeof POST_COLUMNS)[number];
export type PostRow = Pick<
  Selectable<Tables['posts']>,
  Column extends `posts.${infer Name extends keyof Tables['posts']}` ? Name : never
>;

/** A post as it leaves the store. */
export function toPost(row: PostRow): Post {
  return {
    id: row.id,
    title: row.title,
    subtitle: row.subtitle,
    content: row.content,
    slug: row.slug,
    status: row.status,
    publishedAt: row.published_at,
    scheduledAt: row.scheduled_at,
    blogId: row.blog_id,
    authorId: row.author_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    categories: row.categories === '[]' ? [] : JSON.parse(row.categories),
    tags: row.tags === '[]' ? [] : JSON.parse(row.tags),
  };
}

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
