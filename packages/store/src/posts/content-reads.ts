import type { Category, Post, Tag } from '@broadsheet/contract';
import type { BlogVersion, CountedPosts, Encoded, Range, Store } from '@broadsheet/core';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind } from '../tables.ts';
import { encodedPost } from './encoded-post.ts';
import { createLabels, toCategory, toTag } from './labels.ts';
import { createPageCache } from './page-cache.ts';
import { createPostLists } from './post-lists.ts';

interface OnePost {
  blogId: string;
  name: string;
}

/** The content half of the Store port. */
export function createContentReads(database: Database) {
  const { reader: db, ready, asBytes, pageCacheBytes, search, canHold } = database;
  const page = createPageCache(createPostLists(database), pageCacheBytes);
  const labels = createLabels(database);
  const published = (arg: Arg<OnePost>) =>
    db
      .selectFrom('posts')
      .select(asBytes(sql`json`).as('post'))
      .where('blog_id', '=', arg('blogId'))
      .where('status', '=', sql.lit('PUBLISHED' as const));
  const byId = prepareRead(ready, (arg: Arg<OnePost>) => published(arg).where('id', '=', arg('name')));
  const bySlug = prepareRead(ready, (arg: Arg<OnePost>) => published(arg).where('slug', '=', arg('name')));

  async function one(query: typeof byId, blogId: string, name: string): Promise<Encoded<Post> | undefined> {
    if (!canHold(name)) return undefined;
    const [row] = await query({ blogId, name });
    return row && encodedPost(row.post);
  }
  const label = async (blogId: string, kind: LabelKind, id: string) =>
    canHold(id) ? await labels.get(blogId, kind, id) : undefined;
  async function labelPosts(
    blog: BlogVersion,
    kind: LabelKind,
    id: string,
    range: Range,
  ): Promise<CountedPosts | undefined> {
    const row = await label(blog.id, kind, id);
    if (!row) return undefined;
    const list = { blogId: blog.id, label: { kind, id } };
    const items = range.offset < row.posts ? await page(list, blog.revision, range) : [];
    return { items, total: row.posts };
  }

  return {
    listPosts: (blog, range) => page({ blogId: blog.id }, blog.revision, range),
    getPost: async (blogId, id) => one(byId, blogId, id),
    getPostBySlug: async (blogId, slug) => one(bySlug, blogId, slug),
    searchPosts: async (blogId, terms, range) => (terms.every(canHold) ? search.find(blogId, terms, range) : []),
    listCategories: async (blogId): Promise<Category[]> => (await labels.list(blogId, 'category')).map(toCategory),
    async getCategory(blogId, id): Promise<Category | undefined> {
      const row = await label(blogId, 'category', id);
      return row && toCategory(row);
    },
    listCategoryPosts: async (blog, id, range) => labelPosts(blog, 'category', id, range),
    listTags: async (blogId): Promise<Tag[]> => (await labels.list(blogId, 'tag')).map(toTag),
    async getTag(blogId, id): Promise<Tag | undefined> {
      const row = await label(blogId, 'tag', id);
      return row && toTag(row);
    },
    listTagPosts: async (blog, id, range) => labelPosts(blog, 'tag', id, range),
  } satisfies Partial<Store>;
}
