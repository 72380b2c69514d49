/**
 * Where a page stands in its collection (api.md 2).
 *
 * @example
 * ```ts
 * const { meta } = await blog.categories.posts(id, { pageSize: 20 });
 * const pagination: Pagination | undefined = meta.pagination;
 * console.log(`page ${pagination?.page} of ${pagination?.totalPages}`);
 * ```
 */
export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPrevPage: boolean;
}
