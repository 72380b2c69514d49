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
