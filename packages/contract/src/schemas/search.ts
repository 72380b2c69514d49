import * as z from 'zod/mini';
import { Count, field, Ordinal, Timestamp } from './fields.ts';

/** A post as a search finds it (api.md 2). */
export const SearchResultItem = z.object({
  id: field(z.string(), 'Identifies the post.', 'p1'),
  title: field(z.string(), 'Title of the post.', 'Hello letterpress'),
  subtitle: field(z.nullable(z.string()), 'Supporting line below the title.', 'The first of many'),
  slug: field(z.string(), 'Readable identifier for the URL of the post.', 'hello-letterpress'),
  coverUrl: field(z.nullable(z.string()), 'URL of the cover image, if there is one.', null),
  publishedAt: field(z.nullable(Timestamp), 'When the post was published.', '2026-01-31T09:00:00.000Z'),
});
export type SearchResultItem = z.infer<typeof SearchResultItem>;

/** The search term, and the part of the results that this page holds (api.md 2, SearchResponse). */
export const SearchMeta = z.object({
  q: field(z.string(), 'The search term as the server read it: trimmed, with white space collapsed.', 'letterpress'),
  limit: field(Ordinal, 'Maximum number of items on a page.', 10),
  offset: field(Count, 'Items skipped before this page.', 0),
  count: field(Count, 'Items on this page.', 1),
});
export type SearchMeta = z.infer<typeof SearchMeta>;

/** The response of a search; over HTTP it is at `data` of the envelope (api.md 4.4). */
export const SearchResponse = z.object({ data: z.array(SearchResultItem), meta: SearchMeta });
export type SearchResponse = z.infer<typeof SearchResponse>;
