import type { Category, Post, Tag } from '@broadsheet/contract';
import { type BlogVersion, type CountedPosts, Encoded, type Range, type Store } from '@broadsheet/core';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Bytes, Database } from '../database.ts';
import type { LabelKind } from '../tables.ts';
import { inLabelOrder, type LabelRow, selectLabels, toCategory, toTag } from './labels.ts';
import { createPageCache } from './page-cache.ts';
import { createPostLists } from './post-lists.ts';

/** The reads of content in the `Store` port. */
export function createContentReads(database: Database) {
  const { reader: db, asBytes, pageCacheBytes, canHold } = database;
  const page = createPageCache(createPostLists(database), pageCacheBytes);
  const json = raw(asBytes('json'));

  async function findPost(blogId: string, name: string, condition: Sql): Promise<Encoded<Post> | undefined> {
    if (!canHold(name)) return undefined;
    const [row] = await db<{ post: Bytes }>`
      select ${json} as post from posts where blog_id = ${blogId} and ${condition}`;
    if (!row) return undefined;
    return new Encoded(typeof row.post === 'string' ? row.post : { chunks: [row.post], owned: true });
  }
  const allLabels = async (blogId: string, kind: LabelKind) =>
    (await selectLabels(db, blogId, kind)).sort(inLabelOrder);
  const findLabel = async (blogId: string, kind: LabelKind, id: string): Promise<LabelRow | undefined> =>
    canHold(id)
      ? (await db<LabelRow>`select * from labels where blog_id = ${blogId} and kind = ${kind} and id = ${id}`)[0]
      : undefined;
  async function labelPosts(
    blog: BlogVersion,
    kind: LabelKind,
    id: string,
    range: Range,
  ): Promise<CountedPosts | undefined> {
    const row = await findLabel(blog.id, kind, id);
    if (!row) return undefined;
    const list = { blogId: blog.id, label: { kind, id } };
    const items = range.offset < row.posts ? await page(list, blog.revision, range) : [];
    return { items, total: row.posts };
  }

  return {
    listPosts: (blog, range) => page({ blogId: blog.id }, blog.revision, range),
    getPost: (blogId, id) => findPost(blogId, id, sql`status = 'PUBLISHED' and id = ${id}`),
    getPostBySlug: (blogId, slug) => findPost(blogId, slug, sql`status = 'PUBLISHED' and slug = ${slug}`),
    previewPost: (blogId, id) => findPost(blogId, id, sql`id = ${id}`),
    searchPosts: searchIn(database),
    listCategories: async (blogId): Promise<Category[]> => (await allLabels(blogId, 'category')).map(toCategory),
    async getCategory(blogId, id): Promise<Category | undefined> {
      const row = await findLabel(blogId, 'category', id);
      return row && toCategory(row);
    },
    listCategoryPosts: async (blog, id, range) => labelPosts(blog, 'category', id, range),
    listTags: async (blogId): Promise<Tag[]> => (await allLabels(blogId, 'tag')).map(toTag),
    async getTag(blogId, id): Promise<Tag | undefined> {
      const row = await findLabel(blogId, 'tag', id);
      return row && toTag(row);
    },
    listTagPosts: async (blog, id, range) => labelPosts(blog, 'tag', id, range),
  } satisfies Partial<Store>;
}

/** The offset of a search from which the number of posts is checked first. */
const FAR = 1000;

/** Searches posts. The texts of a blog are not read for results beyond its last post. */
function searchIn({ reader: db, search, canHold }: Database): Store['searchPosts'] {
  async function hasMore(blogId: string, posts: number): Promise<boolean> {
    const rows = await db`select 1 from post_texts where blog_id = ${blogId} limit 1 offset ${posts}`;
    return rows.length > 0;
  }
  return async (blogId, terms, range) => {
    if (!terms.every(canHold)) return [];
    if (range.offset >= FAR && !(await hasMore(blogId, range.offset))) return [];
    return search.find(blogId, terms, range);
  };
}
