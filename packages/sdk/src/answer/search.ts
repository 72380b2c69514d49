/**
 * A post as a search finds it (api.md 2).
 *
 * @example
 * ```ts
 * const hits = await blog.search('soup').take(5);
 * const links = hits.map(({ slug, title }: SearchResultItem) => `<a href="/${slug}">${title}</a>`);
 * ```
 */
export interface SearchResultItem {
  id: string;
  title: string;
  subtitle: string | null;
  slug: string;
  coverUrl: string | null;
  publishedAt: string | null;
}

/**
 * What was searched, and how much of it one page holds.
 *
 * @example
 * ```ts
 * const { meta } = await blog.search('  pea   soup ');
 * const search: SearchMeta | undefined = meta.search;
 * console.log(search?.q); // 'pea soup'
 * ```
 */
export interface SearchMeta {
  /** The term as the server read it: trimmed, white space collapsed. */
  q: string;
  limit: number;
  offset: number;
  count: number;
}
