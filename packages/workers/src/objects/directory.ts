import type { DurableStorage } from '../durable/driver.ts';

/** Objects among which the keys are distributed, so that no object looks up every key. */
const SHARDS = 256;

/** The name of the object of a blog. */
export const blogObjectName = (blogId: string): string => `blog ${blogId}`;
/** The name of the object that finds the blog of a key or an image, by its SHA-256 in hexadecimal. */
export const directoryName = (hash: string): string => `keys ${Number.parseInt(hash.slice(0, 8), 16) % SHARDS}`;
/** The name of the object that lists all blogs, as blogs without content, and has the tokens of the deployment. */
export const INDEX_NAME = 'index';

export type Directory = ReturnType<typeof openDirectory>;

/**
 * Opens the directory in the storage of an object, next to the tables of its store. It finds the blog of a key or an
 * image; the object of that blog decides whether the key is valid, and whether it has the image.
 */
export function openDirectory({ sql }: DurableStorage) {
  sql.exec(
    'create table if not exists directory_keys (hash text not null primary key, blog_id text not null) without rowid',
  );
  sql.exec(
    'create table if not exists directory_images (hash text not null, blog_id text not null, primary key (hash, blog_id)) without rowid',
  );
  return {
    /** The blog to which a key was given, even if the key has been revoked. */
    blogOf: (hash: string): string | undefined =>
      text(sql.exec('select blog_id from directory_keys where hash = ?', hash).toArray()[0]?.['blog_id']),
    addKeys(blogId: string, hashes: readonly string[]): void {
      // A key of a deleted blog may be given to another blog.
      for (const hash of hashes)
        sql.exec('insert or replace into directory_keys (hash, blog_id) values (?, ?)', hash, blogId);
    },
    /** The blogs that have stored an image, even if they have removed it. */
    blogsOfImage: (hash: string): string[] =>
      sql
        .exec('select blog_id from directory_images where hash = ?', hash)
        .toArray()
        .flatMap((row) => text(row['blog_id']) ?? []),
    addImages(blogId: string, hashes: readonly string[]): void {
      for (const hash of hashes)
        sql.exec('insert or ignore into directory_images (hash, blog_id) values (?, ?)', hash, blogId);
    },
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
