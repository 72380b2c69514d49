import type { Category, Post, SnapshotBlog, Tag } from '@broadsheet/contract';
import type { Ad, Campaign } from '@broadsheet/core';
import type { HookRecord } from '@broadsheet/store';
import { type Due, type Message, type Observation, statusOf } from './observe.ts';
import type { Request } from './respond.ts';
import { MINUTE } from './universe.ts';

/** The part of an observation that concerns receivers of webhooks. */
interface Seen {
  readonly posts: readonly Post[];
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly ads: readonly Ad[];
  readonly campaigns: readonly Campaign[];
  readonly export: SnapshotBlog | null;
  readonly hooks: readonly HookRecord[];
  readonly messages: readonly Message[];
  readonly due: readonly Due[];
}

/** How long requests are also signed with a secret that was replaced, and the maximum number of such secrets. */
const DAY = 24 * 60 * MINUTE;
const MAX_OLD_SECRETS = 9;

/** The knowledge of the receivers of all webhooks, and the messages that they may get. */
export class Receivers {
  /** The state of each blog before the current step. */
  readonly #before = new Map<string, Partial<Seen>>();
  /** When the secrets of webhooks were replaced. */
  readonly #rotations = new Map<string, readonly number[]>();

  /** The problem with the messages of a blog after a step; `undefined` if there is none. */
  problemOf(blog: string, observed: Observation, request: Request): string | undefined {
    // Observations are untyped because they are JSON; these come from `observe.ts`.
    const [old, is] = [this.#before.get(blog) ?? {}, observed as unknown as Seen];
    this.#before.set(blog, is);
    for (const hook of is.hooks) {
      const was = old.hooks?.find(({ id }) => id === hook.id);
      const problem =
        this.#wrongSecrets(`${blog} ${hook.id}`, was, is.due, request) ??
        wrongAttempts(hook, was, old.due, is, request) ??
        (was?.goneAt === null && hook.goneAt === null && mayReport(request)
          ? wrongNews(hook, old as Seen, is, request)
          : undefined);
      if (problem !== undefined) return `the webhook ${hook.id} ${problem}`;
    }
    return undefined;
  }

  #wrongSecrets(
    key: string,
    was: HookRecord | undefined,
    due: readonly Due[],
    { step, now }: Request,
  ): string | undefined {
    const rotates = step?.do === 'run' && step.name === 'hooks.rotate' ? step : undefined;
    const isRotated = key === `${rotates?.blog} ${(rotates?.args as { readonly hook?: string })?.hook}`;
    const all = was ? [...(this.#rotations.get(key) ?? []), ...(isRotated ? [now] : [])] : [];
    this.#rotations.set(key, all);
    const expected = 1 + Math.min(all.filter((at) => at > now - DAY).length, MAX_OLD_SECRETS);
    const wrong = due.find(({ hookId, secrets }) => key.endsWith(` ${hookId}`) && secrets !== expected);
    return wrong && `signs with ${wrong.secrets} secrets instead of ${expected}`;
  }
}

/** The problem with the choice of messages that wait and messages that are sent. */
function wrongAttempts(
  { id, goneAt }: HookRecord,
  was: HookRecord | undefined,
  wereDue: readonly Due[] = [],
  { messages, due }: Seen,
  { step }: Request,
): string | undefined {
  const own = ({ hookId }: Pick<Message, 'hookId'>) => hookId === id;
  const waiting = messages.filter((message) => own(message) && message.waits);
  const isDue = (message: Message) =>
    due.some(
      (one) =>
        own(one) && (one.about === 'many' || one.about === subjectOf(message) || (isTest(one) && isTest(message))),
    );
  if (goneAt === null && waiting.some((message) => message.attempts === 0 && !isDue(message))) {
    return 'has messages that wait, but are not due';
  }
  if (goneAt !== null && waiting.some((message) => !isTest(message))) return 'is gone, but messages wait for it';
  if (step?.do !== 'send' || !was) return undefined;
  const status = statusOf(step.statuses, was);
  const isSent = wereDue.some(own);
  if (isSent && status === 410 && goneAt === null) return 'is not gone after 410';
  if (was.goneAt !== null && status !== 200 && goneAt === null) return `is not gone any more after ${status}`;
  if (isSent && status === 200 && goneAt !== null) return 'is still gone after a success';
  if (isSent && status === 200 && waiting.some(({ attempts }) => attempts === 1)) {
    return 'is back, but a message that had failed once still waits';
  }
  return undefined;
}

const subjectOf = ({ type, id }: Message): string => `${type.slice(0, type.indexOf('.'))} ${id ?? ''}`;
const isTest = ({ type }: Pick<Message, 'type'>): boolean => type === 'ping';

/** Whether a step may report changes: sending only records attempts, and a test reports no change. */
function mayReport({ step }: Request): boolean {
  if (!step || step.do === 'send' || step.do === 'resend') return false;
  return !(step.do === 'run' && step.name === 'hooks.test');
}

/** The problem with the messages that a step has added. */
function wrongNews(hook: HookRecord, old: Seen, is: Seen, request: Request): string | undefined {
  const own = ({ hookId }: Pick<Message, 'hookId'>) => hookId === hook.id;
  const messages = newOf(old.messages.filter(own), is.messages.filter(own));
  const problem = wrongMessages(old, is, hook, messages) ?? needlessMessages(old, is, request, messages);
  return problem && `got ${JSON.stringify(messages)}, but ${problem}`;
}

function newOf(before: readonly Message[], after: readonly Message[]): Message[] {
  const known = before.map((message) => JSON.stringify(message));
  return after.filter((message) => {
    const place = known.indexOf(JSON.stringify(message));
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
}

/** Compares messages with what readers can see, like a receiver that renders the named pages again. */
function wrongMessages(
  before: Seen,
  after: Seen,
  { types }: HookRecord,
  messages: readonly Message[],
): string | undefined {
  const ofPosts = messages.filter(({ type }) => type.startsWith('post.'));
  const names = (tag: string) => messages.some(({ tags }) => tags.includes(tag));
  const [old, is] = [pagesOf(before), pagesOf(after)];
  const slugs = (pages: typeof old) => new Map([...pages.values()].map(({ post, text }) => [post.slug, text]));
  const [oldSlugs, newSlugs] = [slugs(old), slugs(is)];
  if (types.includes('post.updated')) {
    const labels = messages.filter(({ type }) => type === 'label.changed').map(({ id }) => id);
    const isEmbedded = (id: string) =>
      [old.get(id), is.get(id)].some((page) =>
        [...(page?.post.categories ?? []), ...(page?.post.tags ?? [])].some((label) => labels.includes(label.id)),
      );
    for (const id of changedOf(textsOf(old), textsOf(is))) {
      if (!names(`post:${id}`) && !isEmbedded(id)) return `the post ${id} has changed`;
      const slug = is.get(id)?.post.slug;
      const isNew = !old.has(id) && slug !== undefined && !oldSlugs.has(slug);
      if (isNew && !ofPosts.some((message) => message.id === id && message.type === 'post.published'))
        return `${id} is new`;
    }
    for (const slug of changedOf(oldSlugs, newSlugs)) {
      const owners = [...old.values(), ...is.values()].filter(({ post }) => post.slug === slug);
      const isSeen = names(`post:slug:${slug}`) || owners.some(({ post }) => isEmbedded(post.id));
      if (!isSeen) return `the page ${slug} has changed`;
    }
    for (const label of [
      ...changedOf(byId(before.categories), byId(after.categories)).map((id) => `category:${id}`),
      ...changedOf(byId(before.tags), byId(after.tags)).map((id) => `tag:${id}`),
    ]) {
      if (!names(label)) return `${label} has changed`;
    }
  }
  for (const { type, slug } of ofPosts) {
    if (type === 'post.removed' && newSlugs.has(slug ?? '')) return `the page ${slug} is not removed`;
  }
  const isAds = messages.some(({ type }) => type === 'ads.changed');
  const mustReportAds = types.includes('ads.changed') && delivered(before) !== delivered(after);
  return mustReportAds && !isAds ? 'the ads have changed' : undefined;
}

/** The messages about items that are unchanged in the end; several parts may change an item and change it back. */
function needlessMessages(
  before: Seen,
  after: Seen,
  { step }: Request,
  messages: readonly Message[],
): string | undefined {
  if (step?.do === 'import' && step.parts.length > 1) return undefined;
  const [old, is] = [pagesOf(before), pagesOf(after)];
  for (const { type, id, slug } of messages) {
    if (type === 'ads.changed' && delivered(before) === delivered(after)) return 'the ads are as they were';
    if (!type.startsWith('post.')) continue;
    const page = (pages: typeof old) => [...pages.values()].find(({ post }) => post.slug === slug)?.text;
    const isSame = old.get(id ?? '')?.text === is.get(id ?? '')?.text;
    if (isSame && page(old) === page(is)) return `the post ${id} is as it was`;
  }
  return undefined;
}

interface Page {
  readonly post: Post;
  /** The post and its cover. */
  readonly text: string;
}

const pagesOf = ({ posts, export: exported }: Seen): ReadonlyMap<string, Page> => {
  const covers = new Map(exported?.posts.map(({ id, coverUrl }) => [id, coverUrl]));
  return new Map(posts.map((post) => [post.id, { post, text: JSON.stringify([post, covers.get(post.id)]) }]));
};
const textsOf = (pages: ReadonlyMap<string, Page>) => new Map([...pages].map(([id, { text }]) => [id, text]));
const byId = (items: readonly { readonly id: string }[]) =>
  new Map(items.map((item) => [item.id, JSON.stringify(item)]));

const changedOf = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));

/** The data that determine which ads are delivered. */
function delivered({ ads, campaigns }: Seen): string {
  const named = new Set(ads.map(({ campaignId }) => campaignId));
  const rules = campaigns.filter(({ id }) => named.has(id)).map(({ sponsor: _, name: __, ...campaign }) => campaign);
  return JSON.stringify([ads.map(({ name: _, ...ad }) => ad), rules]);
}
