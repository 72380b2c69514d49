import type { Publisher, SnapshotBlog } from '@broadsheet/contract';
import type { Session } from '../session.ts';
import type { Db } from '../sql.ts';
import { readBlog, readBlogInParts } from './blog-export.ts';
import { type BlogSource, type ImportedBlog, type ImportOptions, importBlogs } from './blog-import.ts';
import { type BlogHead, type BlogRecord, createBlog, readBlogs, readHead, touchBlog } from './blogs.ts';
import { removeBlog } from './remove-blog.ts';

/** What operators do with blogs. */
export function createBlogManagement({ database, change, changeImport, tidy }: Session) {
  const { reader, snapshot } = database;
  return {
    /** Every blog, ordered by id, or only the blog with this id. */
    listBlogs: (only?: string): Promise<readonly BlogRecord[]> => readBlogs(reader, only),
    hasBlog: async (blogId: string): Promise<boolean> => (await readHead(reader, blogId)) !== undefined,
    /** @throws BlogExists */
    createBlog: (blog: BlogHead): Promise<void> => change(blog.id, (db) => createBlog(db, blog)),
    /** `false` when there is no such blog, as with the methods below, or when its domains differ from `before`. */
    setDomains: (blogId: string, domains: readonly string[], before?: readonly string[]): Promise<boolean> =>
      change(blogId, (db) => touchBlog(db, blogId, { domains }, before && { domains: before })),
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
     * @param also runs in the first transaction, after which nobody can read the blog
     */
    deleteBlog: (blogId: string, also?: (db: Db) => Promise<void>): Promise<boolean> =>
      removeBlog(database, (work) => change(blogId, work, { for: 'long' }), blogId, also),
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
