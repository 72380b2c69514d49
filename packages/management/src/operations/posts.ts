import type { SnapshotInput, SnapshotPost } from '@broadsheet/contract';
import type { PostFilter, PostRecord } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { missing, requireBlog } from './blogs.ts';
import { readInstant } from './instants.ts';
import { OperationError } from './operation-error.ts';

/** Posts of every status in the order of posts, and how many there are in all. @throws OperationError */
export async function listPosts(
  store: ManagedStore,
  blog: string,
  { offset = 0, limit = 50, ...filter }: PostFilter & { readonly offset?: number; readonly limit?: number } = {},
): Promise<{ readonly items: readonly PostRecord[]; readonly total: number }> {
  const posts = await store.listAllPosts(blog, filter, { offset, limit });
  if (posts.total === 0) await requireBlog(store, blog);
  return posts;
}

/**
 * Publishes a post, or schedules it when the time is in the future.
 *
 * @param at A date (its start, UTC) or a date-time; by default the date of the post, or now if it has none.
 * @throws OperationError
 */
export async function publishPost(
  store: ManagedStore,
  blog: string,
  post: string,
  { at, now }: { readonly at?: string | undefined; readonly now: number },
): Promise<PostRecord> {
  const instant = at === undefined ? undefined : readInstant('at', at, '00:00:00.000');
  const published = await store.publishPost(blog, post, {
    now,
    ...(instant !== undefined && { at: Date.parse(instant) }),
  });
  return published ?? missing(store, blog, 'post', post);
}

/** Makes a post a draft. @throws OperationError */
export async function unpublishPost(store: ManagedStore, blog: string, post: string, now: number): Promise<PostRecord> {
  return (await store.unpublishPost(blog, post, now)) ?? missing(store, blog, 'post', post);
}

/**
 * The link to a preview of a post on its site: the URL with a `token` that opens the post for 24 hours.
 *
 * @param url the page of the site that shows previews
 * @throws OperationError
 */
export async function previewLink(
  store: ManagedStore,
  blog: string,
  post: string,
  { url, now }: { readonly url: string; readonly now: number },
): Promise<string> {
  const link = URL.canParse(url) ? new URL(url) : undefined;
  // The token is a credential, so it must not cross a network unencrypted.
  const isHere = /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(link?.hostname ?? '');
  if (!link || !(link.protocol === 'https:' || (link.protocol === 'http:' && isHere))) {
    const message = `expected a page of your site, such as https://site.example/preview; received ${JSON.stringify(url)}`;
    throw new OperationError([{ at: 'url', message }]);
  }
  const token = await store.createPreviewToken(blog, post, now);
  link.searchParams.set('token', token ?? (await missing(store, blog, 'post', post)));
  return link.href;
}

/** A post of any status. @throws OperationError */
export async function requirePost(store: ManagedStore, blog: string, post: string): Promise<SnapshotPost> {
  return (await store.getAnyPost(blog, post)) ?? missing(store, blog, 'post', post);
}

/** A snapshot whose import restores a post. @throws OperationError */
export async function exportPost(store: ManagedStore, blog: string, post: string): Promise<SnapshotInput> {
  return { blogs: [(await store.exportPost(blog, post)) ?? (await missing(store, blog, 'post', post))] };
}

/** Moves a post to the recycle bin of its blog. @throws OperationError */
export async function deletePost(store: ManagedStore, blog: string, post: string, now: number): Promise<void> {
  if (!(await store.deletePost(blog, post, now))) await missing(store, blog, 'post', post);
}
