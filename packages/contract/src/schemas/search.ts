import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { Timestamp } from './post.ts';

/** A post as a search finds it (api.md 2). */
export const SearchResultItem = z.object({
  id: z.string(),
  title: z.string(),
  subtitle: z.nullable(z.string()),
  slug: z.string(),
  coverUrl: z.nullable(z.string()),
  publishedAt: z.nullable(Timestamp),
});
export type SearchResultItem = z.infer<typeof SearchResultItem>;

/** What was searched and how much of it this page holds. */
export const SearchMeta = z.object({
  q: z.string(),
  limit: z.int().check(z.minimum(LIMITS.search.limit.min), z.maximum(LIMITS.search.limit.max)),
  offset: z.int().check(z.minimum(0)),
  count: z.int().check(z.minimum(0)),
});
export type SearchMeta = z.infer<typeof SearchMeta>;

/** The answer of a search; over HTTP it stands at `data` of the envelope (api.md 4.4). */
export const SearchResponse = z.object({ data: z.array(SearchResultItem), meta: SearchMeta });
export type SearchResponse = z.infer<typeof SearchResponse>;
