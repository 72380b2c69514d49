import type { Category, Post, Tag } from '@broadsheet/contract';
import { type BlogVersion, type CountedPosts, Encoded, type Range, type Store } from '@broadsheet/core';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind } from '../tables.ts';
import { inLabelOrder, selectLabels, toCategory, toTag } from './labels.ts';
import { createPageCache } from './page-cache.ts';
import { createPostLists } from './post-lists.ts';

interface OnePost {
  blogId: string;
  name: string;
}

interface Labels {
  blogId: string;
  kind: LabelKind;
}

interface OneLabel extends Labels {
  id: string;
}

/** The reads of content in the `Store` port. */
export function createContentReads(database: Database) {
  const { reader: db, asBytes, pageCacheBytes, canHold } = database;
  const page = createPageCache(createPostLists(database), pageCacheBytes);
  const ofKind = (arg: Arg<Labels>) => selectLabels(db, arg('blogId'), arg('kind'));
  const labels = prepareRead(db, ofKind);
  const oneLabel = prepareRead(db, (arg: Arg<OneLabel>) => ofKind(arg).where('id', '=', arg('id')));
  const ofBlog = (arg: Arg<OnePost>) =>
    db.selectFrom('posts').select(asBytes(sql`json`).as('post')).where('blog_id', '=', arg('blogId'));
  const published = (arg: Arg<OnePost>) => ofBlog(arg).where('status', '=', sql.lit('PUBLISHED' as const));
  const byId = prepareRead(db, (arg: Arg<OnePost>) => published(arg).where('id', '=', arg('name')));
  const anyById = prepareRead(db, (arg: Arg<OnePost>) => ofBlog(arg).where('id', '=', arg('name')));
  const bySlug = prepareRead(db, (arg: Arg<OnePost>) => published(arg).where('slug', '=', arg('name')));

  async function one(query: typeof byId, blogId: string, name: string): Promise<Encoded<Post> | undefined> {
    if (!canHold(name)) return undefined;
    const [row] = await query({ blogId, name });
    if (!row) return undefined;
    return new Encoded(typeof row.post === 'string' ? row.post : { chunks: [row.post], owned: true });
  }
  const allLabels = async (label: Labels) => [...(await labels(label))].sort(inLabelOrder);
  const findLabel = async (label: OneLabel) => (canHold(label.id) ? (await oneLabel(label))[0] : undefined);
  async function labelPosts(
    blog: BlogVersion,
    kind: LabelKind,
    id: string,
    range: Range,
  ): Promise<CountedPosts | undefined> {
    const row = await findLabel({ blogId: blog.id, kind, id });
    if (!row) return undefined;
    const list = { blogId: blog.id, label: { kind, id } };
    const items = range.offset < row.posts ? await page(list, blog.revision, range) : [];
    return { items, total: row.posts };
  }

  return {
    listPosts: (blog, range) => page({ blogId: blog.id }, blog.revision, range),
    getPost: async (blogId, id) => one(byId, blogId, id),
    getPostBySlug: async (blogId, slug) => one(bySlug, blogId, slug),
    previewPost: async (blogId, id) => one(anyById, blogId, id),
    searchPosts: searchIn(database),
    listCategories: async (blogId): Promise<Category[]> =>
      (await allLabels({ blogId, kind: 'category' })).map(toCategory),
    async getCategory(blogId, id): Promise<Category | undefined> {
      const row = await findLabel({ blogId, kind: 'category', id });
      return row && toCategory(row);
    },
    listCategoryPosts: async (blog, id, range) => labelPosts(blog, 'category', id, range),
    listTags: async (blogId): Promise<Tag[]> => (await allLabels({ blogId, kind: 'tag' })).map(toTag),
    async getTag(blogId, id): Promise<Tag | undefined> {
      const row = await findLabel({ blogId, kind: 'tag', id });
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
    const texts = db.selectFrom('post_texts').select(sql.lit(1).as('one')).where('blog_id', '=', blogId);
    return (await texts.limit(1).offset(posts).executeTakeFirst()) !== undefined;
  }
  return async (blogId, terms, range) => {
    if (!terms.every(canHold)) return [];
    if (range.offset >= FAR && !(await hasMore(blogId, range.offset))) return [];
    return search.find(blogId, terms, range);
  };
}
