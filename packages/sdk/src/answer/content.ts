/**
 * The states a post can be in; public answers only ever carry `PUBLISHED` (api.md 3). Open, as every enumeration the
 * server answers with: a newer server may have one more, and a `switch` needs its `default`.
 *
 * @example
 * ```ts
 * const badge = (status: PostStatus): string => (status === 'PUBLISHED' ? '' : status.toLowerCase());
 * ```
 */
export type PostStatus = 'PUBLISHED' | 'DRAFT' | 'SCHEDULED' | (string & {});

/**
 * A category as a post carries it.
 *
 * @example
 * ```ts
 * const { categories } = await blog.posts.get(id);
 * const names = categories.map(({ name }: EmbeddedCategory) => name);
 * ```
 */
export interface EmbeddedCategory {
  id: string;
  name: string;
  description: string;
  blogId: string;
}

/**
 * A tag as a post carries it.
 *
 * @example
 * ```ts
 * const { tags } = await blog.posts.get(id);
 * const names = tags.map(({ name }: EmbeddedTag) => `#${name}`);
 * ```
 */
export interface EmbeddedTag {
  id: string;
  name: string;
  blogId: string;
}

/**
 * A published post (api.md 2). Timestamps are ISO 8601 in UTC.
 *
 * @example
 * ```ts
 * const { title, publishedAt }: Post = await blog.posts.getBySlug('hello-world');
 * console.log(title, publishedAt && new Date(publishedAt));
 * ```
 */
export interface Post {
  id: string;
  title: string;
  subtitle: string;
  /** The body: HTML or Markdown, as the editor made it. Sanitize it before it is put into a page. */
  content: string;
  /** Readable identifier for URLs. */
  slug: string;
  status: PostStatus;
  publishedAt: string | null;
  scheduledAt: string | null;
  blogId: string;
  authorId: string;
  createdAt: string;
  updatedAt: string;
  categories: EmbeddedCategory[];
  tags: EmbeddedTag[];
}

/**
 * A post in the list of a category or a tag: everything but these five fields may be absent (api.md 2).
 *
 * @example
 * ```ts
 * const teaser = ({ title, subtitle }: PostSummary): string => `${title}: ${subtitle ?? ''}`;
 * const teasers = (await blog.tags.posts(id)).items.map(teaser);
 * ```
 */
export type PostSummary = Pick<Post, 'id' | 'title' | 'slug' | 'status' | 'publishedAt'> & {
  [Field in Exclude<keyof Post, 'id' | 'title' | 'slug' | 'status' | 'publishedAt'>]?: Post[Field] | undefined;
};

/**
 * How many published posts a category or a tag has.
 *
 * @example
 * ```ts
 * const posts = ({ posts }: PostCount): string => `${posts} posts`;
 * const [first] = await blog.tags.list();
 * if (first) console.log(first.name, posts(first._count));
 * ```
 */
export interface PostCount {
  posts: number;
}

/**
 * A category of the blog (api.md 2).
 *
 * @example
 * ```ts
 * const menu = (await blog.categories.list()).map(({ id, name }: Category) => ({ id, name }));
 * ```
 */
export interface Category {
  id: string;
  name: string;
  description: string;
  blogId: string;
  createdAt: string;
  updatedAt: string;
  _count: PostCount;
}

/**
 * A tag of the blog (api.md 2).
 *
 * @example
 * ```ts
 * const used = (await blog.tags.list()).filter(({ _count }: Tag) => _count.posts > 0);
 * ```
 */
export interface Tag {
  id: string;
  name: string;
  blogId: string;
  createdAt: string;
  updatedAt: string;
  _count: PostCount;
}

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
