import type { SnapshotBlog } from '@broadsheet/contract';
import { decoded, fold, type Store } from '@broadsheet/core';
import { COMMAND_LINE, COMMANDS, type CommandName, runCommand } from '@broadsheet/management';
import type { DueMessage, HookMessage, HookRecord, SqlStore } from '@broadsheet/store';
import { CATEGORIES, KEYS, POSTS, SLUGS, TAGS } from './universe.ts';

/** The observable state of a store: JSON values by their names. */
export type Observation = Readonly<Record<string, unknown>>;

/** The messages that a receiver of webhooks got or will get. */
export interface Message {
  readonly hookId: string;
  readonly type: string;
  readonly id: string | null;
  readonly slug: string | null;
  readonly tags: readonly string[];
  readonly attempts: number;
  readonly waits: boolean;
}

/** A message that can be sent now. */
export interface Due extends Pick<Message, 'hookId' | 'type' | 'tags' | 'attempts'> {
  readonly about: string;
  /** The numbers of secrets that sign it, and of older messages that it replaces. */
  readonly secrets: number;
  readonly replaced: number;
}

/** A Durable Object has a limit for patterns. */
const LONG = 'A title that is longer than fifty characters, as some are';
/** The number of messages of a webhook that are read at a time. */
const WINDOW = 32;
const ALL = { offset: 0, limit: 10_000 };
const SEARCHES = ['alp', 'bet', 'ete', '日本', '0%', 'word', '1'];

/** The state that readers see, through the port that every store has. */
export async function observeReads(store: Store, blog: string): Promise<Observation> {
  const opened = await Promise.all(KEYS.map(async (key) => store.findBlog(key)));
  const own = opened.find((found) => found?.id === blog);
  // Pages are cached by revision, so that a missing new revision is noticed.
  const version = own ?? { id: blog, revision: crypto.randomUUID() };
  const each = async <T>(ids: readonly string[], read: (id: string) => T | Promise<T>) =>
    Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await read(id)) ?? null])));
  const items = (list: Awaited<ReturnType<Store['listTagPosts']>>) =>
    list && { total: list.total, ids: decoded(list.items).map(({ id }) => id) };
  return {
    keys: Object.fromEntries(
      KEYS.map((key, index) => {
        const { revision: _, ...found } = opened[index] ?? { revision: '' };
        return [key, found];
      }),
    ),
    posts: decoded(await store.listPosts(version, ALL)),
    page: decoded(await store.listPosts(version, { offset: 1, limit: 2 })),
    byId: await each(POSTS, async (id) => decoded(await store.getPost(blog, id))),
    bySlug: await each(SLUGS, async (slug) => decoded(await store.getPostBySlug(blog, slug))),
    previews: await each(POSTS, async (id) => decoded(await store.previewPost(blog, id))),
    categories: await store.listCategories(blog),
    tags: await store.listTags(blog),
    category: await each(CATEGORIES, (id) => store.getCategory(blog, id)),
    postsOfCategory: await each(CATEGORIES, async (id) => items(await store.listCategoryPosts(version, id, ALL))),
    postsOfTag: await each(TAGS, async (id) => items(await store.listTagPosts(version, id, ALL))),
    search: await each(SEARCHES, (text) => store.searchPosts(blog, [fold(text)], { offset: 0, limit: 50 })),
    ads: byId(await store.listAds(blog)),
    campaigns: await store.listCampaigns(blog),
    counts: await store.figures(blog, { by: ['day', 'ad', 'campaign', 'placement', 'traffic'] }),
    ofCampaigns: await store.figures(blog, { by: ['campaign'] }),
  };
}

/** The state that operators see. */
export async function observeManagement(store: SqlStore, blog: string, now: number): Promise<Observation> {
  const exported = await store.exportBlog(blog);
  const keys = await store.listKeys(blog);
  const posts = await store.listAllPosts(blog, {}, ALL);
  const run = (name: CommandName) =>
    runCommand({ store, now, commands: COMMANDS }, { name, blog, args: {}, actor: COMMAND_LINE });
  return {
    record: (await store.listBlogs(blog))[0] ?? null,
    export: exported ? inOrder(exported) : null,
    bin: byText((await store.listBin(blog, now)).items),
    listed: posts,
    byTitle: (await store.listAllPosts(blog, { order: 'title', search: 'al' }, { offset: 0, limit: 5 })).total,
    byLongTitle: (await store.listAllPosts(blog, { search: LONG }, ALL)).total,
    drafts: (await store.listAllPosts(blog, { status: 'DRAFT' }, ALL)).items.map(({ id }) => id),
    keyRecords: byText(keys.map(({ createdAt, revokedAt }) => ({ createdAt, revokedAt }))),
    hooks: await store.listHooks(blog),
    messages: byText((await store.listHookMessages(blog, ALL.limit)).map(messageOf)),
    due: byText(await readDue(store, blog, now)),
    ...(exported && { stats: await run('stats'), figures: await run('campaigns.list') }),
  };
}

/** A message as every store shows it. */
export function messageOf({ hookId, event: { type, data }, attempts, nextAt }: HookMessage): Message {
  const { id, slug, tags } = data;
  // The time of the next attempt may follow the clock of the machine.
  return { hookId, type, id, slug, tags: tags.toSorted(), attempts: attempts.length, waits: nextAt !== null };
}

/** The messages that can be sent now, in any number. */
export const dueMessages = (store: SqlStore, now: number) =>
  store.outbox.due(now, { hasRoom: () => true, isSending: () => false });

async function readDue(store: SqlStore, blog: string, now: number): Promise<Due[]> {
  const due = (await dueMessages(store, now)).filter(({ blogId }) => blogId === blog);
  const hooks = await store.listHooks(blog);
  const crowded = new Set(hooks.flatMap(({ id, pending }) => (pending > WINDOW ? [id] : [])));
  const of = (hookId: string) => due.filter((message) => message.hookId === hookId);
  return hooks.flatMap(({ id }) => (crowded.has(id) ? of(id).slice(0, 1).map(someOfMany) : of(id).map(toDue)));
}

function toDue({ hookId, subject, body, attempts, secrets, replaced, isTest }: DueMessage): Due {
  const { type, data } = JSON.parse(body);
  const tags: readonly string[] = data.tags;
  return {
    hookId,
    about: isTest ? 'test' : subject,
    type,
    tags: tags.toSorted(),
    attempts: attempts.length,
    secrets: secrets.length,
    replaced: replaced.length,
  };
}

/** Which of many messages are read first depends on the store. */
const someOfMany = ({ hookId, secrets }: DueMessage): Due => {
  return { hookId, about: 'many', type: '', tags: [], attempts: 0, secrets: secrets.length, replaced: 0 };
};

/**
 * The status with which a receiver responds. One with many messages is never gone: which of them would be the last
 * depends on the store.
 */
export function statusOf(statuses: Readonly<Record<string, number>>, hook: HookRecord | undefined): number {
  const status = statuses[hook?.id ?? ''] ?? 200;
  return status === 410 && (hook?.pending ?? 0) > WINDOW ? 200 : status;
}

/** A blog in an order that does not depend on the store. */
export const inOrder = (blog: SnapshotBlog) => ({
  ...blog,
  posts: byId(blog.posts).map((post) => ({
    ...post,
    categoryIds: post.categoryIds.toSorted(),
    tagIds: post.tagIds.toSorted(),
  })),
  categories: byId(blog.categories),
  tags: byId(blog.tags),
  campaigns: byId(blog.campaigns),
  ads: byId(blog.ads),
});

const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
export const byText = <T>(items: readonly T[], asText: (item: T) => unknown = (item) => item): T[] =>
  items
    .map((item) => ({ item, text: JSON.stringify(asText(item)) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ item }) => item);
