import * as z from 'zod/mini';
import { Count, field, Ordinal } from './fields.ts';

/** The position of a page in its collection (api.md 2, PaginationMetaCanonical; found at `meta.pagination`). */
export const Pagination = z.object({
  page: field(Ordinal, 'Number of this page, from 1.', 1),
  pageSize: field(Ordinal, 'Items per page.', 10),
  total: field(Count, 'Items in the whole collection.', 1),
  totalPages: field(Count, 'Pages in the whole collection.', 1),
  hasNextPage: field(z.boolean(), 'Whether a page follows this one.', false),
  hasPrevPage: field(z.boolean(), 'Whether a page precedes this one.', false),
});
export type Pagination = z.infer<typeof Pagination>;

/** The `meta` of a list in numbered pages. */
export const PageMeta = z.object({ pagination: Pagination });
export type PageMeta = z.infer<typeof PageMeta>;
