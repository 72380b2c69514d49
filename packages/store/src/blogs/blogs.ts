import type { Publisher } from '@broadsheet/contract';
import { codeUnitOrder } from '@broadsheet/core';
import sql, { empty } from 'sql-template-tag';
import { type Db, insert, updating } from '../sql.ts';
import type { Tables } from '../tables.ts';

/** A blog as the operator sees it. */
export interface BlogRecord {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  /** The time zone of its days, if one was chosen; otherwise UTC. */
  readonly timeZone?: string | undefined;
  /** The details that reports for sponsors show beside its name. */
  readonly publisher?: Publisher | undefined;
  /** The number of posts of every status. */
  readonly posts: number;
  readonly ads: number;
}

/** Thrown when a blog with this id already exists. */
export class BlogExists extends Error {
  override readonly name = 'BlogExists';
}

/** A new, unique revision. */
const newRevision = (): string => crypto.randomUUID();

/** Every blog, by id, or only the blog with the given id. */
export async function readBlogs(db: Db, only?: string): Promise<BlogRecord[]> {
  const rows = await db<Tables['blogs'] & { posts: number; ads: number }>`select *,
      (select count(*) from posts where posts.blog_id = blogs.blog_id) as posts,
      (select count(*) from ads where ads.blog_id = blogs.blog_id) as ads
    from blogs ${only === undefined ? empty : sql`where blog_id = ${only}`}`;
  return rows
    .map(({ posts, ads, ...row }) => ({ ...headOf(row), posts, ads }))
    .sort((a, b) => codeUnitOrder(a.id, b.id));
}

/** A blog without its content. */
export type BlogHead = Omit<BlogRecord, 'posts' | 'ads'>;

const headOf = (row: Tables['blogs']): BlogHead => ({
  id: row.blog_id,
  name: row.name,
  domains: JSON.parse(row.domains),
  ...(row.time_zone !== null && { timeZone: row.time_zone }),
  ...(row.publisher !== null && { publisher: JSON.parse(row.publisher) }),
});

export async function readHead(db: Db, blogId: string): Promise<BlogHead | undefined> {
  const [row] = await db<Tables['blogs']>`select * from blogs where blog_id = ${blogId}`;
  return row && headOf(row);
}

/**
 * Creates a blog, or updates its name, its domains and, if given, its time zone and its publisher, and locks its row:
 * anything else that writes the blog waits for the end of the transaction.
 */
export async function writeHead(
  db: Db,
  blog: BlogHead,
  keep: { readonly keepName: boolean; readonly keepDomains: boolean; readonly keepRevision: boolean },
): Promise<void> {
  const { keepName, keepDomains, keepRevision } = keep;
  const columns = [...(keepRevision ? ['blog_id'] : ['revision']), ...(keepName ? [] : ['name'])];
  if (!keepDomains) columns.push('domains');
  if (blog.timeZone !== undefined) columns.push('time_zone');
  if (blog.publisher !== undefined) columns.push('publisher');
  await insert(db, 'blogs', [newRow(blog)], updating('blogs', columns));
}

const newRow = ({ id, name, domains, timeZone, publisher }: BlogHead) => ({
  blog_id: id,
  name,
  domains: JSON.stringify(domains),
  time_zone: timeZone ?? null,
  publisher: jsonOf(publisher),
  revision: newRevision(),
});

const jsonOf = (publisher: Publisher | undefined): string | null => (publisher ? JSON.stringify(publisher) : null);

/** Adds an empty blog. @throws BlogExists */
export async function createBlog(db: Db, blog: BlogHead): Promise<void> {
  const added = await insert(db, 'blogs', [newRow(blog)], sql`on conflict do nothing returning blog_id`);
  if (added.length === 0) throw new BlogExists(`The blog ${blog.id} already exists: choose another id.`);
}

/** Locks a blog until the transaction ends, without a new revision; `false` when there is no such blog. */
export async function lockBlog(db: Db, blogId: string): Promise<boolean> {
  const rows = await db`update blogs set name = name where blog_id = ${blogId} returning blog_id`;
  return rows.length > 0;
}

/**
 * Gives a blog a new revision and, if given, a new name, domains, time zone or publisher; `false` when there is no such
 * blog. Every write of a blog begins with this or with {@link lockBlog}, to avoid deadlocks.
 */
export async function touchBlog(
  db: Db,
  blogId: string,
  { name, domains, timeZone, publisher }: Partial<Omit<BlogHead, 'id'>> = {},
): Promise<boolean> {
  const rows = await db`update blogs set revision = ${newRevision()}, name = coalesce(${name ?? null}, name),
      domains = coalesce(${domains ? JSON.stringify(domains) : null}, domains),
      time_zone = coalesce(${timeZone ?? null}, time_zone), publisher = coalesce(${jsonOf(publisher)}, publisher)
    where blog_id = ${blogId} returning blog_id`;
  return rows.length > 0;
}
