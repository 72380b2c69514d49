import { isDomain, isTimeZone } from '@broadsheet/contract';
import { BlogExists, type BlogRecord, newApiKey } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { wrongBlogId } from './blog-id.ts';
import { OperationError, type OperationProblem } from './operation-error.ts';

/** The blog with this id. @throws OperationError that lists the existing blogs */
export async function requireBlog(store: ManagedStore, id: string): Promise<BlogRecord> {
  const [blog] = await store.listBlogs(id);
  if (blog) return blog;
  const others = (await store.listBlogs()).slice(0, 10).map((candidate) => candidate.id);
  const known = others.length === 0 ? 'the database has none yet' : `there is ${others.join(', ')}`;
  throw new OperationError(`There is no blog ${JSON.stringify(id)}; ${known}.`, 'NOT_FOUND');
}

/** @throws OperationError that says whether the blog or the item is missing */
export async function missing(
  store: ManagedStore,
  blog: string,
  kind: 'ad' | 'post' | 'campaign' | 'webhook' | 'message',
  id: string,
): Promise<never> {
  await requireBlog(store, blog);
  const message = `There is no ${kind} ${JSON.stringify(id)} in ${blog}; list its ${kind}s to see their ids.`;
  throw new OperationError(message, 'NOT_FOUND');
}

/** Accepts the id of an existing blog, or of a blog that may be created. @throws OperationError */
export async function requireBlogId(store: ManagedStore, id: string): Promise<void> {
  const message = wrongBlogId(id);
  if (message === undefined) return;
  const [blog] = await store.listBlogs(id);
  if (!blog) throw new OperationError([{ at: 'blog', message }]);
}

/** A new blog, and the key that opens it, which is shown once. */
export interface CreatedBlog extends Pick<BlogRecord, 'id' | 'name' | 'domains'> {
  readonly apiKey: string;
}

/** Creates an empty blog with a key. @throws OperationError */
export async function createBlog(
  store: ManagedStore,
  { id, name = id, domains = [] }: Pick<BlogRecord, 'id'> & Partial<Pick<BlogRecord, 'name' | 'domains'>>,
  now: number,
): Promise<CreatedBlog> {
  const problems = [...wrongDomains(domains), ...wrongName(name)];
  const wrongId = wrongBlogId(id);
  if (wrongId !== undefined) problems.push({ message: wrongId });
  if (problems.length > 0) throw new OperationError(problems);
  const blog = { id, name: name.trim() || id, domains };
  try {
    await store.createBlog(blog);
  } catch (error) {
    throw error instanceof BlogExists
      ? new OperationError(`The blog ${JSON.stringify(id)} already exists.`, 'CONFLICT')
      : error;
  }
  const apiKey = newApiKey();
  await store.addKey(id, apiKey, now);
  return { ...blog, apiKey };
}

/** Gives a blog another name; its id stays. @throws OperationError */
export async function renameBlog(
  store: ManagedStore,
  id: string,
  name: string,
): Promise<{ readonly before: string; readonly after: string }> {
  const problems = wrongName(name);
  if (problems.length > 0) throw new OperationError(problems);
  const { name: before } = await requireBlog(store, id);
  await store.renameBlog(id, name.trim());
  return { before, after: name.trim() };
}

/** Sets the time zone of the days of a blog; the figures of past days stay. @throws OperationError */
export async function changeTimeZone(
  store: ManagedStore,
  id: string,
  timeZone: string,
): Promise<{ readonly before: string; readonly after: string }> {
  if (!isTimeZone(timeZone)) {
    const expected = 'expected a name such as Europe/Berlin, America/New_York or UTC';
    throw new OperationError([
      { at: 'timeZone', message: `${JSON.stringify(timeZone)} is not a time zone; ${expected}` },
    ]);
  }
  const { timeZone: before = 'UTC' } = await requireBlog(store, id);
  await store.setTimeZone(id, timeZone);
  return { before, after: timeZone };
}

/** Removes a blog with everything it has, counts and keys included, and returns its record. @throws OperationError */
export async function deleteBlog(store: ManagedStore, id: string): Promise<BlogRecord> {
  const blog = await requireBlog(store, id);
  await store.deleteBlog(id);
  return blog;
}

/**
 * A change of the domains of a blog: all are replaced, some are added and removed, or all are cleared, which allows
 * every site. `before` are the domains that the editor has seen.
 */
export type DomainChange =
  | { readonly replace: readonly string[]; readonly before?: readonly string[] }
  | { readonly add?: readonly string[]; readonly remove?: readonly string[] }
  | { readonly clear: true; readonly before?: readonly string[] };

/**
 * Changes the hosts whose pages may report clicks.
 *
 * @throws OperationError when a host is invalid, when a host to remove does not exist, or when the last host would be
 * removed without `clear`, which would allow every site
 */
export async function changeDomains(
  store: ManagedStore,
  id: string,
  change: DomainChange,
): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
  const given = 'replace' in change ? change.replace : 'clear' in change ? [] : (change.add ?? []);
  const problems = wrongDomains(given);
  if (problems.length > 0) throw new OperationError(problems);
  for (;;) {
    const { domains: before } = await requireBlog(store, id);
    if ('before' in change && change.before && change.before.join() !== before.join()) {
      const message =
        'Somebody else has changed the domains in the meantime, so they were not saved. Save again to replace them.';
      throw new OperationError([{ at: 'domains', message: `${message} They are: ${before.join(', ')}` }], 'CONFLICT');
    }
    const after = 'replace' in change || 'clear' in change ? [...new Set(given)] : addedAndRemoved(id, before, change);
    // After a concurrent write, the change is applied again, to its result.
    if (await store.setDomains(id, after, before)) return { before, after };
  }
}

function addedAndRemoved(
  id: string,
  before: readonly string[],
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): string[] {
  const unknown = remove.filter((host) => !before.includes(host));
  if (unknown.length > 0) {
    const known = before.length === 0 ? 'has none' : `has ${before.join(', ')}`;
    throw new OperationError(
      unknown.map((host) => ({
        at: 'remove',
        message: `${JSON.stringify(host)} is not a domain of ${id}, which ${known}`,
      })),
    );
  }
  const after = [...new Set([...before.filter((host) => !remove.includes(host)), ...add])];
  if (after.length > 0) return after;
  const message = `without a domain, pages of every site may report clicks of ${id}; clear the list to allow that`;
  throw new OperationError([{ at: 'remove', message }]);
}

/** A URL with a scheme or a path is a common mistake. */
function wrongDomains(hosts: readonly string[]): OperationProblem[] {
  const expected = 'expected a host such as news.example, news.example:8080 or *.news.example';
  return hosts
    .filter((host) => !isDomain(host))
    .map((host) => ({ at: 'domains', message: `${JSON.stringify(host)} is not a domain; ${expected}` }));
}

function wrongName(name: string): OperationProblem[] {
  return name.trim() === '' ? [{ at: 'name', message: 'a blog needs a name' }] : [];
}
