import type { Publisher, SnapshotBlog } from '@broadsheet/contract';
import type { LogEntry } from '../access/log.ts';
import type { BlogSource } from '../imports/plan.ts';
import { inLabelOrder, selectLabels } from '../posts/labels.ts';
import { readPostsInOrder } from '../posts/post-lists.ts';
import { snapshotOf } from '../posts/post-writes.ts';
import type { Session } from '../session.ts';
import type { Db } from '../sql.ts';
import type { LabelKind } from '../tables.ts';
import { readAds } from './ads.ts';
import { type ImportedBlog, type ImportOptions, importBlogs } from './blog-import.ts';
import { type BlogHead, type BlogRecord, createBlog, lockBlog, readBlogs, readHead, touchBlog } from './blogs.ts';
import { readCampaigns } from './campaigns.ts';
import { removeBlog } from './remove-blog.ts';

/** The methods of operators for blogs. */
export function createBlogManagement({ database, change, changeImport, tidy }: Session) {
  const { reader, snapshot } = database;
  return {
    /** Every blog, ordered by id, or only the blog with this id. */
    listBlogs: (only?: string): Promise<readonly BlogRecord[]> => readBlogs(reader, only),
    /** Locks a blog until the transaction ends; `false` when there is no such blog. */
    lockBlog: (blogId: string): Promise<boolean> => change(blogId, (db) => lockBlog(db, blogId)),
    hasBlog: async (blogId: string): Promise<boolean> => (await readHead(reader, blogId)) !== undefined,
    /** @throws BlogExists */
    createBlog: (blog: BlogHead): Promise<void> => change(blog.id, (db) => createBlog(db, blog)),
    /** Returns `false` when there is no such blog, like the methods below. */
    setDomains: (blogId: string, domains: readonly string[]): Promise<boolean> =>
      change(blogId, (db) => touchBlog(db, blogId, { domains })),
    renameBlog: (blogId: string, name: string): Promise<boolean> =>
      change(blogId, (db) => touchBlog(db, blogId, { name })),
    /** Sets the time zone of the days under which events are counted from now on. */
    setTimeZone: (blogId: string, timeZone: string): Promise<boolean> =>
      change(blogId, (db) => touchBlog(db, blogId, { timeZone })),
    setPublisher: (blogId: string, publisher: Publisher): Promise<boolean> =>
      change(blogId, (db) => touchBlog(db, blogId, { publisher })),
    /**
     * Removes a blog with everything it has, counts and keys included: its id and its keys can be used again.
     *
     * @param entry is written to the log in the first transaction, after which nobody can read the blog
     */
    deleteBlog: (blogId: string, entry?: LogEntry): Promise<boolean> =>
      removeBlog(database, (work) => change(blogId, work, { for: 'long' }), blogId, entry),
    /**
     * Writes every blog in one transaction, by the rules of `Store.putBlog`; a blog that is too large for memory
     * may be passed in parts.
     *
     * @throws ContentClash
     */
    async importBlogs(blogs: BlogSource, now: number, options: ImportOptions = {}): Promise<readonly ImportedBlog[]> {
      const imported = await importBlogs({ database, transact: changeImport }, blogs, now, options);
      if (!options.dryRun) await tidy(imported.reduce((sum, { posts }) => sum + posts, 0));
      return imported;
    },
    /** The whole blog, drafts and scheduled posts included, without its keys; importing it changes nothing. */
    exportBlog: (blogId: string): Promise<SnapshotBlog | undefined> => snapshot((db) => readBlog(db, blogId)),
    /** The same for a blog of any size: passes the blog without posts first, then repeatedly with some of its posts. */
    exportInParts: (blogId: string, take: (part: SnapshotBlog) => unknown): Promise<void> =>
      snapshot((db) => readBlogInParts(db, blogId, take)),
  };
}

/** The whole blog without its keys, in an order that does not depend on how it was written. */
async function readBlog(db: Db, blogId: string): Promise<SnapshotBlog | undefined> {
  const parts: SnapshotBlog[] = [];
  await readBlogInParts(db, blogId, (part) => parts.push(part));
  const [blog] = parts;
  return blog && { ...blog, posts: parts.flatMap(({ posts }) => posts) };
}

/** The number of posts that are read at a time. */
const POSTS = 200;

/** Passes the blog without posts first, then repeatedly with some of its posts. */
async function readBlogInParts(db: Db, blogId: string, take: (part: SnapshotBlog) => unknown): Promise<void> {
  const head = await readHead(db, blogId);
  if (!head) return;
  const blog: SnapshotBlog = {
    ...head,
    domains: [...head.domains],
    apiKeys: [],
    categories: await readLabels(db, blogId, 'category'),
    tags: (await readLabels(db, blogId, 'tag')).map(({ description: _, ...tag }) => tag),
    posts: [],
    campaigns: await readCampaigns(db, blogId),
    ads: await readAds(db, blogId),
  };
  await take(blog);
  for await (const rows of readPostsInOrder(db, blogId, POSTS)) {
    await take({ ...blog, posts: rows.map(({ json, cover_url }) => snapshotOf(JSON.parse(json), cover_url)) });
  }
}

async function readLabels(db: Db, blogId: string, kind: LabelKind) {
  const rows = await selectLabels(db, blogId, kind);
  return rows.sort(inLabelOrder).map(({ id, name, description, created_at: createdAt, updated_at: updatedAt }) => {
    return { id, name, description, createdAt, updatedAt };
  });
}
