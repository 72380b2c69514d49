import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../packages/server/src/store/open-store.ts';
import { root } from '../child.ts';
import { generateBlog } from '../generate-blog.ts';

/** The key of every generated blog. */
export const KEY = 'bench-key-0123456789';

/** What a generated blog is like. */
export interface BlogShape {
  readonly posts: number;
  /** Characters of each post's content. */
  readonly content: number;
}

/** Posts written in one transaction. */
const PART = 10_000;

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));

/**
 * A SQLite database with a generated blog, as the value of `--database`. It is kept between runs and made anew when
 * the generator or the store's own code has changed.
 */
export async function databaseOf(shape: BlogShape, say: (text: string) => void): Promise<string> {
  const path = `${cache}${shape.posts}-${shape.content}-${version()}.db`;
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true });
    const draft = `${path}.draft`;
    for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
    const store = await openStore(`sqlite:${draft}`);
    const { posts = [], ...blog } = generateBlog({ id: 'bench', apiKey: KEY, ads: 50, ...shape });
    for (let from = 0; from < posts.length; from += PART) {
      say(`writing ${from.toLocaleString('en')} of ${posts.length.toLocaleString('en')} posts`);
      await store.importBlogs([{ ...blog, posts: posts.slice(from, from + PART) }], Date.UTC(2026, 0, 1));
    }
    await store.close();
    // The file travels alone: what is still in the log beside it is moved in first.
    const database = new DatabaseSync(draft);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
    database.close();
    renameSync(draft, path);
  }
  return `sqlite:${path}`;
}

function version(): string {
  const hash = createHash('sha256');
  const files = globSync(['bench/generate-blog.ts', 'packages/server/src/store/*.ts', 'packages/core/src/fold.ts'], {
    cwd: root,
  });
  for (const file of files.sort()) if (!file.endsWith('.test.ts')) hash.update(readFileSync(root + file));
  return hash.digest('hex').slice(0, 12);
}
