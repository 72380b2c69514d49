import type { ImportedBlog, ImportOptions } from '@broadsheet/store';
import type { DurableStorage } from '../durable/driver.ts';
import type { DurableStore } from '../durable/open-durable-store.ts';

const DAY = 24 * 60 * 60 * 1000;

export type ImportParts = ReturnType<typeof openImportParts>;

type Blog = Parameters<DurableStore['importBlogs']>[0] extends Iterable<infer One> ? One : never;

/** Receives a blog in parts, because requests and rows are limited in size, and writes it in one transaction. */
export function openImportParts({ sql }: DurableStorage) {
  sql.exec(
    'create table if not exists import_parts (part integer primary key, upload text not null, added_at integer not null, blog text not null)',
  );

  function* read(upload: string): Generator<Blog> {
    for (let after = 0; ; ) {
      const next = 'select part, blog from import_parts where upload = ? and part > ? order by part limit 1';
      const [row] = sql.exec(next, upload, after).toArray();
      if (!row) return;
      yield JSON.parse(String(row['blog']));
      after = Number(row['part']);
    }
  }

  return {
    add(upload: string, text: string): void {
      // Uploads that were never imported.
      sql.exec('delete from import_parts where added_at < ?', Date.now() - DAY);
      sql.exec('insert into import_parts (upload, added_at, blog) values (?, ?, ?)', upload, Date.now(), text);
    },
    /** The API keys in plain text that an upload contains. */
    keysOf: (upload: string): readonly string[] =>
      sql
        .exec("select blog ->> '$.apiKeys' as keys from import_parts where upload = ?", upload)
        .toArray()
        .flatMap(({ keys }) => (typeof keys === 'string' ? (JSON.parse(keys) as string[]) : [])),
    async run(store: DurableStore, upload: string, now: number, options: ImportOptions): Promise<ImportedBlog[]> {
      const parts = await store.importBlogs(read(upload), now, options);
      if (!options.dryRun) sql.exec('delete from import_parts where upload = ?', upload);
      const [first] = parts;
      return first ? [{ ...first, ...together(parts) }] : [];
    },
  };
}

/** Adds up the results of the parts. */
function together(parts: readonly ImportedBlog[]): Pick<ImportedBlog, 'posts' | 'newPosts' | 'pruned' | 'newKey'> {
  return {
    posts: parts.reduce((sum, { posts }) => sum + posts, 0),
    newPosts: parts.reduce((sum, { newPosts }) => sum + newPosts, 0),
    // Pruning is reported with the last part.
    pruned: parts.at(-1)?.pruned ?? { posts: 0, categories: 0, tags: 0 },
    newKey: parts.find(({ newKey }) => newKey !== undefined)?.newKey,
  };
}
