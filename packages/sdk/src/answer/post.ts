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
