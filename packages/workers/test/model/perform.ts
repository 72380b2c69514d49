import type { SnapshotBlogInput } from '@broadsheet/contract';
import { campaignsOf, dayOf, fold, type Store } from '@broadsheet/core';
import { COMMAND_LINE, COMMANDS, OperationError, runCommand } from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import { BlogExists, ContentClash, type ImportedBlog, sha256Hex } from '@broadsheet/store';
import type { Deliver, Import, Part, Step } from './commands.ts';
import { byText, dueMessages, messageOf, statusOf } from './observe.ts';
import { BLOGS } from './universe.ts';

/** The outcome of a step: its result, or why it was refused; `crashed` is always a fault. */
export type Outcome = { readonly done: unknown } | { readonly refused: string } | { readonly crashed: string };

/** How a database can be written while an import runs. */
export interface Abilities {
  readonly writesDuringImports: boolean;
}

/** Performs a step on a store over SQL. */
export async function perform(store: SqlStore, step: Step, now: number, abilities: Abilities): Promise<Outcome> {
  try {
    return { done: withoutSecrets((await act(store, step, now, abilities)) ?? null) };
  } catch (error) {
    return failureOf(error);
  }
}

/** The fields of a result that come from the random generator. */
const RANDOM = new Set(['apiKey', 'newKey', 'secret', 'message', 'revision']);
const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, inner) => (RANDOM.has(name) ? undefined : inner)));

/** Errors of the contract are refusals, and all others are faults. */
export function failureOf(error: unknown): Outcome {
  const isRefusal = error instanceof OperationError || error instanceof ContentClash || error instanceof BlogExists;
  const text = error instanceof Error ? error.message : String(error);
  // The API's port throws these errors without a class of their own.
  if (isRefusal || /which does not exist|have the same slug|already opens/.test(text)) return { refused: text };
  return { crashed: error instanceof Error ? `${error.stack}` : text };
}

const refuse = (message: string): never => {
  throw new OperationError(message);
};

async function act(store: SqlStore, step: Step, now: number, abilities: Abilities): Promise<unknown> {
  const { blog = '' } = step as { readonly blog?: string };
  switch (step.do) {
    case 'import':
      return importParts(store, step, now, abilities);
    case 'put':
      return store.putBlog(filled(blog, step.part), now);
    case 'round trip': {
      const exported = (await store.exportBlog(blog)) ?? refuse(`there is no blog ${blog}`);
      return withoutKeys(await store.importBlogs([exported], now, { prune: true }));
    }
    case 'run':
      return runCommand(
        { store, now, commands: COMMANDS },
        { name: step.name, blog, args: step.args, actor: COMMAND_LINE },
      );
    case 'key':
      if (step.how === 'revoke') return store.revokeKeys(blog, (await sha256Hex(step.key)).slice(0, 12), now);
      return step.how === 'add' ? store.addKey(blog, step.key, now) : store.rotateKey(blog, step.key, now);
    case 'hook': {
      // In practice, no id is used again; on PostgreSQL, an import may leave messages for a webhook that was deleted in
      // the meantime, and this removes them.
      const isUsed = (await store.listHooks(blog)).some(({ id }) => id === step.hook);
      if (!isUsed) await store.deleteHook(blog, step.hook);
      const added = { id: step.hook, url: 'https://site.example/', types: step.types, secret: 'whsec_c2VjcmV0' };
      return store.addHook(blog, added, now);
    }
    case 'resend': {
      const messages = byText(await store.listHookMessages(blog, 10_000), messageOf);
      const { id = '' } = messages[step.message % messages.length] ?? {};
      return store.sendHookMessage(blog, id);
    }
    case 'send':
      return send(store, step.statuses, now);
    default:
      return performRead(store, step, now, (await store.listBlogs(blog))[0]);
  }
}

/** Performs a step of readers on any store. */
export async function performRead(
  store: Store,
  step: Extract<Step, { do: 'visit' | 'search' | 'deliver' | 'click' | 'beacon' }>,
  now: number,
  blog: { readonly timeZone?: string | undefined } | undefined,
): Promise<unknown> {
  if (!blog) return refuse(`there is no blog ${step.blog}`);
  switch (step.do) {
    case 'visit':
      return store.publishDuePosts(step.blog, now);
    case 'search':
      return store.searchPosts(step.blog, step.terms.map(fold), step.range);
    case 'deliver':
      return deliver(store, step, now, blog.timeZone);
    case 'click':
      return store.recordClick(step.blog, step.click);
    case 'beacon':
      return store.recordViewable(step.blog, step.impressions);
  }
}

async function deliver(store: Store, step: Deliver, now: number, timeZone: string | undefined): Promise<unknown> {
  const ads = (await store.listAds(step.blog)).filter(({ format }) => format === step.format);
  const sorted = ads.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  const candidates = sorted.map(({ id }) => id);
  const tierEnds = candidates.flatMap((_, index) =>
    sorted[index + 1]?.priority === sorted[index]?.priority ? [] : [index + 1],
  );
  const campaigns = new Map(ads.flatMap(({ id, campaignId }) => (campaignId === undefined ? [] : [[id, campaignId]])));
  const slots = step.slots.map((placement) => ({ candidates, tierEnds, placement }));
  const { traffic, idempotency } = step;
  const delivery = { slots, traffic, idempotency, timeZone, ...(campaigns.size > 0 && { campaigns }) };
  const { outcome, adIds } = await store.deliver(step.blog, delivery, now);
  // The fields of a click token.
  return { outcome, adIds, traffic, day: dayOf(now, timeZone), campaigns: campaignsOf(delivery, adIds) };
}

/** The titles and slugs of the many posts of a part have their numbers. */
export function filled(blog: string, { many, ...part }: Part): SnapshotBlogInput {
  const more = Array.from({ length: many?.count ?? 0 }, (_, index) => {
    return { id: `m${index}`, slug: `m${index}`, title: `${many?.word} ${index}` };
  });
  return { ...part, id: blog, posts: [...(part.posts ?? []), ...more] };
}

async function importParts(store: SqlStore, step: Import, now: number, abilities: Abilities): Promise<unknown> {
  const { blog, prune = false, keepNames = false, dryRun = false, remote = false } = step;
  // The reference knows no URLs that must stay.
  const options = { prune, keepNames, dryRun, allowMovedUrls: true };
  const parts = step.parts.map((part) => filled(blog, part));
  let pending = step.meanwhile;
  const others = async () => {
    const now_ = pending;
    pending = undefined;
    if (now_) await act(store, now_, now, abilities).catch(() => undefined);
  };
  /** Can be read again, because an import starts again when others have changed its blog. */
  const source = {
    async *[Symbol.asyncIterator]() {
      for (const [index, part] of parts.entries()) {
        if (index === 1 && abilities.writesDuringImports) await others();
        yield part;
      }
    },
  };
  try {
    if (!remote) return withoutKeys(await store.importBlogs(source, now, options));
    const names = await Promise.all(parts.map((part) => sha256Hex(JSON.stringify(part))));
    const send = (name: 'import.add' | 'import.run', args: object) =>
      runCommand({ store, now, commands: COMMANDS }, { name, blog, args, actor: COMMAND_LINE });
    for (const [index, part] of parts.entries()) await send('import.add', { name: names[index], part });
    return withoutKeys((await send('import.run', { parts: [...new Set(names)], ...options })) as ImportedBlog[]);
  } finally {
    await others();
  }
}

/** The keys show whether the blog had no key, so that one was created. */
const withoutKeys = (imported: readonly ImportedBlog[]) => imported.map(({ newKey: _, ...result }) => result);

async function send(store: SqlStore, statuses: Readonly<Record<string, number>>, now: number): Promise<number> {
  const hooks = new Map(await Promise.all(BLOGS.map(async (blog) => [blog, await store.listHooks(blog)] as const)));
  await store.outbox.publishDuePosts(now);
  let sent = 0;
  for (let due = await dueMessages(store, now); due.length > 0; due = await dueMessages(store, now)) {
    for (const message of due) {
      const hook = hooks.get(message.blogId)?.find(({ id }) => id === message.hookId);
      const status = statusOf(statuses, hook);
      const attempt = { at: new Date(now).toISOString(), duration: 1, status, text: '' };
      await store.outbox.record(message, attempt, status === 500 && !message.isTest ? now + 60_000 : null);
    }
    sent += due.length;
  }
  return sent;
}
