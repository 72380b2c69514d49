import * as z from 'zod/mini';

/** Where a page stands in its collection (api.md 2, PaginationMetaCanonical; found at `meta.pagination`). */
export const Pagination = z.object({
  page: z.int().check(z.minimum(1)),
  pageSize: z.int().check(z.minimum(1)),
  total: z.int().check(z.minimum(0)),
  totalPages: z.int().check(z.minimum(0)),
  hasNextPage: z.boolean(),
  hasPrevPage: z.boolean(),
});
export type Pagination = z.infer<typeof Pagination>;

/** The meta of a list in pages. */
export const PageMeta = z.object({ pagination: Pagination });
export type PageMeta = z.infer<typeof PageMeta>;
