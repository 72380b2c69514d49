import type { DurableStorage } from '../durable/driver.ts';

/** Objects among which the keys are spread, so that none of them is asked about every key. */
const SHARDS = 256;

/** The name of the object of a blog. */
export const blogObjectName = (blogId: string): string => `blog ${blogId}`;
/** The name of the object that knows which blog a key opens, by the SHA-256 of the key in hexadecimal. */
export const directoryName = (hash: string): string => `keys ${Number.parseInt(hash.slice(0, 8), 16) % SHARDS}`;
/** The name of the object that lists all blogs. */
export const INDEX_NAME = 'index';

/** What the objects that lead to blogs remember. The object of the blog has the last word on each key. */
export interface Directory {
  /** The blog a key was given to, also after it was revoked. */
  blogOf(hash: string): string | undefined;
  addKeys(blogId: string, hashes: readonly string[]): void;
  listBlogs(): readonly string[];
  hasBlog(blogId: string): boolean;
  addBlog(blogId: string): void;
  removeBlog(blogId: string): void;
}

/** Opens the directory in the storage of an object, whose store has tables beside it. */
export function openDirectory({ sql }: DurableStorage): Directory {
  sql.exec(
    'create table if not exists directory_keys (hash text not null primary key, blog_id text not null) without rowid',
  );
  sql.exec('create table if not exists directory_blogs (blog_id text not null primary key) without rowid');
  return {
    blogOf: (hash) =>
      text(sql.exec('select blog_id from directory_keys where hash = ?', hash).toArray()[0]?.['blog_id']),
    addKeys(blogId, hashes) {
      // A key of a blog that was deleted may be given to another.
      for (const hash of hashes)
        sql.exec('insert or replace into directory_keys (hash, blog_id) values (?, ?)', hash, blogId);
    },
    listBlogs: () =>
      sql
        .exec('select blog_id from directory_blogs order by blog_id')
        .toArray()
        .flatMap((row) => text(row['blog_id']) ?? []),
    hasBlog: (blogId) => sql.exec('select 1 from directory_blogs where blog_id = ?', blogId).toArray().length > 0,
    addBlog: (blogId) => void sql.exec('insert or ignore into directory_blogs (blog_id) values (?)', blogId),
    removeBlog: (blogId) => void sql.exec('delete from directory_blogs where blog_id = ?', blogId),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
