import { existsSync } from 'node:fs';
import { StoreUnavailable } from '@broadsheet/core';
import type { StoreOptions } from '../store/open-store.ts';
import { type BlogRecord, DatabaseTooNew, type ServerStore } from '../store/server-store.ts';
import { Refusal } from './refusal.ts';
import { readDatabase } from './settings.ts';

/** The flag that every command on a database has. */
export interface DatabaseFlag {
  readonly database?: string | undefined;
}

/**
 * Opens the database, hands its store to `work`, and closes it whatever happens.
 *
 * @throws Refusal when it cannot be opened; a file that is not there is only made when `create` is set.
 */
export async function withStore<T>(
  flags: DatabaseFlag,
  { create = false }: { create?: boolean },
  work: (store: ServerStore) => Promise<T>,
): Promise<T> {
  const problems: string[] = [];
  const url = readDatabase(flags.database, process.env, problems);
  if (problems.length > 0) throw new Refusal(problems);
  const store = await openDatabase(url, { create });
  try {
    return await work(store);
  } catch (error) {
    throw error instanceof StoreUnavailable ? unreachable(url, error) : error;
  } finally {
    await store.close();
  }
}

/** Opens a database with errors an operator can act upon. @throws Refusal */
export async function openDatabase(
  url: string,
  { create, ...options }: { create: boolean } & StoreOptions,
): Promise<ServerStore> {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (!create && file !== undefined && file !== ':memory:' && !existsSync(file.replace(/^\/\//, ''))) {
    throw new Refusal(`There is no database at ${file}; name it with --database, or make it with "broadsheet import".`);
  }
  const { openStore } = await import('../store/open-store.ts');
  try {
    return await openStore(url, options);
  } catch (error) {
    if (error instanceof DatabaseTooNew) throw new Refusal(error.message);
    throw unreachable(url, error);
  }
}

/** The blog of this id. @throws Refusal that lists those there are */
export async function requireBlog(store: ServerStore, id: string): Promise<BlogRecord> {
  const blogs = await store.listBlogs();
  const blog = blogs.find((candidate) => candidate.id === id);
  if (blog) return blog;
  const others = blogs.map((candidate) => candidate.id);
  const known = others.length === 0 ? 'the database has none yet' : `there is ${others.slice(0, 10).join(', ')}`;
  throw new Refusal(`There is no blog ${JSON.stringify(id)}; ${known}.`);
}

function unreachable(url: string, error: unknown): Refusal {
  return new Refusal(`Cannot use the database ${withoutPassword(url)}: ${reason(error)}`);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return inner instanceof Error && !own.includes(inner.message) ? `${own}: ${reason(inner)}` : own;
}

/** A connection string as it may be shown. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@]*@/, '$1:…@').replace(/([?&]password=)[^&]*/gi, '$1…');
}
