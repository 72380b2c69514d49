import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../packages/store/src/node.ts';
import { queryPostgres } from '../../tools/testing/query-postgres.ts';
import { root } from '../child.ts';
import { generateBlog } from '../generate-blog.ts';
import type { BenchPostgres } from './postgres.ts';

/** The key of every generated blog. */
export const KEY = 'bench-key-0123456789';

/** The size of a generated blog. */
export interface BlogShape {
  readonly posts: number;
  /** Characters of each post's content. */
  readonly content: number;
  /** 50 by default. */
  readonly ads?: number;
}

/** Where databases are stored between runs. */
export const cache = fileURLToPath(new URL('../.cache/', import.meta.url));

type Log = (text: string) => void;

/**
 * A SQLite database with a generated blog, as the value of `--database`. It is stored between runs and regenerated when
 * the generator or the data that the store writes has changed.
 */
export async function databaseOf(shape: BlogShape, log: Log): Promise<string> {
  const name = nameOf(shape);
  const path = `${cache}${name}${version()}.db`;
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true });
    for (const old of globSync(`${name}*`, { cwd: cache })) rmSync(cache + old);
    const draft = `${path}.draft`;
    await fill(`sqlite:${draft}`, shape, log);
    // Only this file is renamed, so the content of the write-ahead log is moved into it first.
    const database = new DatabaseSync(draft);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
    database.close();
    renameSync(draft, path);
  }
  return `sqlite:${path}`;
}

/** The same in PostgreSQL. */
export const postgresDatabaseOf = (postgres: BenchPostgres, shape: BlogShape, log: Log): Promise<string> =>
  storedDatabase(postgres, nameOf(shape), (url) => fill(url, shape, log));

/** A PostgreSQL database whose name begins with `start`, filled when it is created. */
export async function storedDatabase(
  postgres: BenchPostgres,
  start: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const name = start + version();
  const admin = (statement: string) => queryPostgres(postgres.url('postgres'), statement);
  const there = (await admin('select datname from pg_database')) as readonly { datname: string }[];
  if (!there.some(({ datname }) => datname === name)) {
    for (const { datname } of there) if (datname.startsWith(start)) await admin(`drop database "${datname}"`);
    await admin(`create database "${start}" template template0`);
    await fill(postgres.url(start));
    await admin(`alter database "${start}" rename to "${name}"`);
  }
  return postgres.url(name);
}

/** Imports a generated blog in one transaction, as an operator would. */
async function fill(url: string, shape: BlogShape, log: Log): Promise<void> {
  const store = await openStore(url);
  const kind = url.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL';
  const total = shape.posts.toLocaleString('en');
  let reported = 0;
  await store.importBlogs(generateBlog({ id: 'bench', apiKey: KEY, ads: 50, ...shape }), Date.UTC(2026, 0, 1), {
    onProgress(posts) {
      if (posts < reported) return;
      reported = posts + 50_000;
      log(`${kind}: ${posts.toLocaleString('en')} of ${total} posts written`);
    },
  });
  await store.close();
}

const nameOf = ({ posts, content, ads }: BlogShape): string => `bench-${[posts, content, ads ?? 50].join('-')}-`;

/** A hash that changes with the generator and with the data that a store writes. */
function version(): string {
  const hash = createHash('sha256');
  const written = '{migrations,search/post-texts,sqlite/search,postgres/search}.ts';
  const files = globSync(
    ['bench/generate-blog.ts', `packages/store/src/${written}`, 'packages/core/src/content/fold.ts'],
    { cwd: root },
  );
  for (const file of files.sort()) hash.update(readFileSync(root + file));
  return hash.digest('hex').slice(0, 12);
}
