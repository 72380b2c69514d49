import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type Campaign, createMemoryStore, type MemoryState } from '@broadsheet/core';
import { adName } from '@broadsheet/store';
import { readCampaignDraft } from '../../../management/src/commands/read-draft.ts';
import type { Import, Step } from './commands.ts';
import {
  type Content,
  hasIn,
  keepUnnamed,
  type Label,
  mergePart,
  type Post,
  readBlog,
  refuse,
  replace,
  requireCampaigns,
  requireLabels,
  stampOf,
  withKnownStart,
  without,
} from './content.ts';
import { byText, inOrder, type Observation, observeReads } from './observe.ts';
import { failureOf, filled, type Outcome, performRead } from './perform.ts';
import { MINUTE } from './universe.ts';

/** A deleted item; a post has its labels, because they are restored with it. */
interface Deleted {
  readonly kind: 'post' | 'ad' | 'campaign';
  readonly id: string;
  readonly deletedAt: number;
  readonly title: string;
  readonly item: Post | Content['ads'][number] | Campaign;
  readonly categories?: readonly Label[];
  readonly tags?: readonly Label[];
}

interface Key {
  readonly blog: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** The data of blogs that the reference has in addition to its store. */
interface Extra {
  readonly names: ReadonlyMap<string, string>;
  readonly bins: ReadonlyMap<string, readonly Deleted[]>;
  /** The webhooks of each blog. */
  readonly hooks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly keys: ReadonlyMap<string, Key>;
}

const LIFE = 30 * 24 * 60 * MINUTE;

/**
 * The store in memory, with the rules for operators on top of it. They are written from the documents and not from the
 * SQL. Content is replaced as a whole, so that no derived data can be forgotten.
 */
export class Reference {
  readonly store = createMemoryStore();
  #extra: Extra = { names: new Map(), bins: new Map(), hooks: new Map(), keys: new Map() };

  async perform(step: Step, now: number): Promise<Outcome> {
    const before: readonly [MemoryState, Extra] = [this.store.snapshot(), this.#extra];
    try {
      return { done: await this.#act(step, now) };
    } catch (error) {
      this.store.restore(before[0]);
      this.#extra = before[1];
      return error instanceof DryRun ? { done: undefined } : failureOf(error);
    } finally {
      if (step.do === 'import' && step.meanwhile) await this.perform(step.meanwhile, now);
    }
  }

  async observe(blog: string, now: number): Promise<Observation> {
    const content = this.#has(blog) ? this.#contentOf(blog) : undefined;
    const { name, domains, timeZone, posts, ads } = content ?? {};
    const head = { id: blog, name, domains, timeZone, posts: posts?.length, ads: ads?.length };
    const bin = (this.#extra.bins.get(blog) ?? []).filter(({ deletedAt }) => deletedAt >= now - LIFE);
    const binEntry = ({ kind, id, deletedAt, title }: Deleted) => {
      const together = bin.filter((other) => other.kind === kind && other.deletedAt === deletedAt).length;
      return { kind, id, deletedAt, title, together };
    };
    return {
      ...(await observeReads(this.store, blog)),
      record: content ? head : null,
      export: content ? inOrder(content) : null,
      keyRecords: byText(
        [...this.#extra.keys.values()]
          .filter((key) => key.blog === blog)
          .map(({ createdAt, revokedAt }) => ({ createdAt, revokedAt })),
      ),
      bin: byText(bin.map(binEntry)),
    };
  }

  /** The result, if the reference knows it. */
  async #act(step: Step, now: number): Promise<unknown> {
    const { blog = '' } = step as { readonly blog?: string };
    switch (step.do) {
      case 'import':
        return this.#import(step, now);
      case 'put':
        return this.#put(blog, filled(blog, step.part), now);
      case 'round trip':
        return void this.#require(blog);
      case 'run':
        return this.#run(step.name, blog, step.args as Readonly<Record<string, never>>, now);
      case 'key':
        return this.#key(step.how, blog, step.key, now);
      case 'hook':
        return this.#addHook(blog, step.hook);
      case 'resend':
        return undefined;
      case 'send':
        for (const id of this.#extra.names.keys()) {
          if (this.#hooksOf(id).size > 0) this.store.publishDuePosts(id, now);
        }
        return undefined;
      default:
        return performRead(this.store, step, now, this.store.stateOf(blog)?.blog);
    }
  }

  #has(blog: string): boolean {
    return this.store.stateOf(blog) !== undefined;
  }
  #require(blog: string): void {
    if (!this.#has(blog)) refuse(`there is no blog ${blog}`);
  }
  #hooksOf(blog: string): ReadonlySet<string> {
    return this.#extra.hooks.get(blog) ?? new Set();
  }
  #note<Name extends keyof Extra>(name: Name, key: string, value: unknown): void {
    this.#extra = { ...this.#extra, [name]: new Map<string, unknown>(this.#extra[name]).set(key, value) };
  }

  #contentOf(blog: string): Content {
    const state = this.store.stateOf(blog);
    const stored = <T extends { readonly blogId: string }>(items: Iterable<T> = []) =>
      [...items].map(({ blogId: _, ...item }) => item);
    return {
      id: blog,
      name: this.#extra.names.get(blog) ?? '',
      domains: [...(state?.blog.domains ?? [])],
      timeZone: state?.blog.timeZone,
      apiKeys: [],
      categories: stored(state?.categories.values()),
      tags: stored(state?.tags.values()),
      posts: stored(state?.posts.values()),
      campaigns: [...(state?.campaigns.values() ?? [])],
      ads: [...(state?.ads.values() ?? [])],
    };
  }

  /** Replaces all content of a blog; its counts stay. */
  #replace(content: Content, now: number): void {
    const events = this.store.stateOf(content.id)?.events;
    this.#forget(content.id);
    this.store.putBlog(content, now);
    if (events) this.store.setEvents(content.id, events);
    this.#note('names', content.id, content.name);
  }
  #edit(blog: string, now: number, change: (content: Content) => Partial<Content>): void {
    this.#require(blog);
    const content = this.#contentOf(blog);
    this.#replace({ ...content, ...change(content) }, now);
  }
  #forget(blog: string): void {
    const state = this.store.snapshot();
    this.store.restore({ ...state, blogs: new Map([...state.blogs].filter(([id]) => id !== blog)) });
  }

  #put(blog: string, input: SnapshotBlogInput, now: number): void {
    const { apiKeys = [], ...rest } = input;
    const added = this.#freeKeys(blog, apiKeys);
    this.store.putBlog(rest, now);
    this.#note('names', blog, input.name);
    this.#addKeys(blog, added, now);
  }

  /** The keys that an import adds: a revoked one stays revoked. */
  #freeKeys(blog: string, keys: readonly string[]): string[] {
    const taken = keys.find((key) => (this.#extra.keys.get(key)?.blog ?? blog) !== blog);
    if (taken !== undefined) refuse(`the key ${taken} opens another blog`);
    return keys.filter((key) => !this.#extra.keys.has(key));
  }
  #addKeys(blog: string, keys: readonly string[], now: number): void {
    for (const key of keys) {
      this.#note('keys', key, { blog, createdAt: stampOf(now), revokedAt: null });
      this.store.addKey(blog, key);
    }
  }

  /** A blog without keys gets one, which nobody here knows. */
  #addMissingKey(blog: string, now: number): void {
    if ([...this.#extra.keys.values()].some((key) => key.blog === blog)) return;
    this.#addKeys(blog, [`a key of ${blog}`], now);
  }

  #import({ blog, parts, prune = false, keepNames = false, dryRun = false }: Import, now: number): void {
    const before = this.#has(blog) ? this.#contentOf(blog) : undefined;
    const read = parts.map((given) => readBlog(keepUnnamed(filled(blog, given), before)));
    const named = new Set(read.flatMap(({ posts }) => posts.map(({ id }) => id)));
    const added = this.#freeKeys(
      blog,
      read.flatMap(({ apiKeys }) => apiKeys),
    );
    let content = before ?? readBlog({ id: blog, name: '', posts: [] });
    for (const [index, part] of read.entries()) {
      const isNamed = keepNames && (before || index > 0);
      content = mergePart(content, part, parts[index]?.domains !== undefined, stampOf(now), (post) =>
        prune ? before?.posts.find(({ id, slug }) => slug === post.slug && !named.has(id)) : undefined,
      );
      if (!isNamed) content = { ...content, name: part.name };
      requireLabels(part, content);
    }
    for (const part of read) requireCampaigns(part, content);
    const known = before?.campaigns ?? [];
    content = { ...content, campaigns: content.campaigns.map((one) => withKnownStart(one, known, stampOf(now))) };
    if (prune) content = this.#prune(content, read, now);
    this.#replace(content, now);
    if (dryRun) throw new DryRun();
    this.#addKeys(blog, added, now);
    // A new blog gets a key if none of its parts has one; an import never gives one to a blog that exists.
    if (!before) this.#addMissingKey(blog, now);
  }

  #prune(content: Content, source: readonly Content[], now: number): Content {
    const named = (of: 'posts' | 'categories' | 'tags') =>
      new Set(source.flatMap((part) => part[of].map(({ id }) => id)));
    const posts = content.posts.filter(({ id }) => named('posts').has(id));
    // The post of a renamed file lives on under its slug.
    const slugs = new Set(source.flatMap((part) => part.posts.map(({ slug }) => slug)));
    const removed = content.posts.filter((post) => !posts.includes(post) && !slugs.has(post.slug));
    for (const post of removed) this.#binPost(content, post, now);
    return {
      ...content,
      posts,
      categories: content.categories.filter(
        ({ id }) => named('categories').has(id) || posts.some(({ categoryIds }) => categoryIds.includes(id)),
      ),
      tags: content.tags.filter(({ id }) => named('tags').has(id) || posts.some(({ tagIds }) => tagIds.includes(id))),
    };
  }

  #bin(blog: string, deleted: Deleted): void {
    const bin = this.#extra.bins.get(blog) ?? [];
    const isThere = bin.some((entry) => keyOf(entry) === keyOf(deleted));
    if (!isThere) this.#note('bins', blog, [...bin, deleted]);
  }
  #binPost({ id: blog, categories, tags }: Content, post: Post, now: number): void {
    this.#bin(blog, {
      ...{ kind: 'post', id: post.id, deletedAt: now, title: post.title, item: post },
      categories: categories.filter(({ id }) => post.categoryIds.includes(id)),
      tags: tags.filter(({ id }) => post.tagIds.includes(id)),
    });
  }

  #run(name: string, blog: string, args: Readonly<Record<string, never>>, now: number): unknown {
    if (name === 'blogs.create') return this.#create(blog, args['name'] ?? blog, now);
    this.#require(blog);
    const [group = '', verb = ''] = name.split('.');
    if (group === 'hooks') {
      const hooks = this.#hooksOf(blog);
      if (!hooks.has(args['hook'] ?? '')) refuse('there is no such webhook');
      if (verb === 'delete') this.#note('hooks', blog, new Set([...hooks].filter((id) => id !== args['hook'])));
      return undefined;
    }
    if (verb === 'restore') return this.#restoreSelected(blog, group.slice(0, -1), args, now);
    if (group === 'posts') return this.#editPost(verb, blog, args, now);
    if (group === 'ads') return this.#editAd(verb, blog, args, now);
    if (group === 'campaigns') return this.#editCampaign(verb, blog, args, now);
    return this.#editBlog(verb, blog, args, now);
  }

  #create(blog: string, name: string, now: number): undefined {
    if (this.#has(blog)) refuse(`there is a blog ${blog}`);
    this.#replace(readBlog({ id: blog, name, posts: [] }), now);
    this.#addMissingKey(blog, now);
  }

  #editBlog(verb: string, blog: string, args: Readonly<Record<string, never>>, now: number): undefined {
    if (verb === 'delete') {
      this.#forget(blog);
      const { names, bins, hooks, keys } = this.#extra;
      for (const [key, owner] of keys) if (owner.blog === blog) this.store.revokeKey(key);
      const others = <T>(all: ReadonlyMap<string, T>) => new Map([...all].filter(([id]) => id !== blog));
      const left = new Map([...keys].filter(([, owner]) => owner.blog !== blog));
      this.#extra = { names: others(names), bins: others(bins), hooks: others(hooks), keys: left };
    } else if (verb === 'rename') this.#note('names', blog, args['name']);
    else if (verb === 'time-zone') this.#setTimeZone(blog, args, now);
    else this.#edit(blog, now, ({ domains }) => ({ domains: [...new Set([...domains, ...(args['add'] ?? [])])] }));
  }

  /** The zone that a blog has, UTC by default, is not a change. */
  #setTimeZone(blog: string, { timeZone }: Readonly<Record<string, string>>, now: number): void {
    const { timeZone: before = 'UTC' } = this.#contentOf(blog);
    if (timeZone !== before) this.#edit(blog, now, () => ({ timeZone }));
  }

  #editPost(verb: string, blog: string, { post: id, at }: Readonly<Record<string, string>>, now: number): undefined {
    const content = this.#contentOf(blog);
    const post = content.posts.find((one) => one.id === id) ?? refuse(`there is no post ${id}`);
    if (verb === 'delete') {
      this.#binPost(content, post, now);
      return this.#edit(blog, now, ({ posts }) => ({ posts: without(posts, new Set([post.id])) })) as undefined;
    }
    const updatedAt = stampOf(now);
    const isPast = post.publishedAt !== null && Date.parse(post.publishedAt) <= now;
    const dated = at ?? (isPast ? post.publishedAt : updatedAt);
    const after: Post =
      verb === 'unpublish'
        ? { ...post, status: 'DRAFT', scheduledAt: null, updatedAt }
        : at !== undefined && Date.parse(at) > now
          ? { ...post, status: 'SCHEDULED', publishedAt: null, scheduledAt: at, updatedAt }
          : { ...post, status: 'PUBLISHED', publishedAt: dated, scheduledAt: null, updatedAt };
    this.#edit(blog, now, ({ posts }) => ({ posts: replace(posts, [after]) }));
  }

  #editAd(verb: string, blog: string, args: Readonly<Record<string, string>>, now: number): undefined {
    const { ad: given, title } = args;
    // Several ads can be paused together; the commands of the model pause one.
    const [id] = [given].flat();
    const ad = this.#contentOf(blog).ads.find((one) => one.id === id) ?? refuse(`there is no ad ${id}`);
    if (verb === 'delete') {
      this.#bin(blog, { kind: 'ad', id: ad.id, deletedAt: now, title: adName(ad), item: ad });
      return this.#edit(blog, now, ({ ads }) => ({ ads: without(ads, new Set([ad.id])) })) as undefined;
    }
    const after = verb === 'edit' ? { ...ad, title: title ?? null } : { ...ad, active: verb === 'resume' };
    this.#edit(blog, now, ({ ads }) => ({ ads: replace(ads, [after]) }));
  }

  #editCampaign(verb: string, blog: string, args: Readonly<Record<string, string>>, now: number): undefined {
    const { campaign: id = '', ...draft } = args;
    const { campaigns, ads } = this.#contentOf(blog);
    const campaign = campaigns.find((one) => one.id === id) ?? refuse(`there is no campaign ${id}`);
    if (verb !== 'delete') {
      const { paused: _, ...resumed } = campaign;
      const paused = { ...resumed, paused: true };
      const time = { now, timeZone: this.#contentOf(blog).timeZone };
      const after = verb === 'edit' ? readCampaignDraft(campaign, draft, time) : verb === 'pause' ? paused : resumed;
      return this.#edit(blog, now, () => ({ campaigns: replace(campaigns, [after]) })) as undefined;
    }
    const own = ads.filter(({ campaignId }) => campaignId === id);
    for (const ad of own) this.#bin(blog, { kind: 'ad', id: ad.id, deletedAt: now, title: adName(ad), item: ad });
    this.#bin(blog, { kind: 'campaign', id, deletedAt: now, title: campaign.name, item: campaign });
    const ids = new Set(own.map((ad) => ad.id));
    this.#edit(blog, now, () => ({ campaigns: without(campaigns, new Set([id])), ads: without(ads, ids) }));
  }

  /** The latest deleted item of a kind. */
  lastDeleted(blog: string, kind: string): Deleted | undefined {
    const bin = this.#extra.bins.get(blog) ?? [];
    return bin.filter((entry) => entry.kind === kind).sort((a, b) => b.deletedAt - a.deletedAt)[0];
  }

  /** Restores the version of an item that was deleted last, or everything of its kind that was deleted at a time. */
  #restoreSelected(
    blog: string,
    kind: string,
    { [kind]: id, deletedAt }: Readonly<Record<string, string>>,
    now: number,
  ): undefined {
    const kept = (this.#extra.bins.get(blog) ?? [])
      .filter((entry) => entry.kind === kind && entry.deletedAt >= now - LIFE)
      .filter((entry) => deletedAt === undefined || entry.deletedAt === Date.parse(deletedAt))
      .sort((a, b) => b.deletedAt - a.deletedAt);
    const found = id === undefined ? kept : kept.filter((entry) => entry.id === id).slice(0, 1);
    if (found.length === 0) refuse(`there is no ${kind} ${id ?? deletedAt} in the bin`);
    if (id !== undefined) {
      for (const deleted of found) this.#restore(blog, deleted, now);
      return;
    }
    // Items that are in the way of others are left.
    let restored = 0;
    for (const deleted of found.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      if (this.#isBlocked(blog, deleted)) continue;
      this.#restore(blog, deleted, now, true);
      restored += 1;
    }
    if (restored === 0) refuse(`other items are in the way of each ${kind}`);
  }

  #isBlocked(blog: string, { kind, id, item }: Deleted): boolean {
    const { posts, ads, campaigns } = this.#contentOf(blog);
    if (kind === 'post') return hasIn(posts, id) || posts.some(({ slug }) => slug === (item as Post).slug);
    if (kind === 'campaign') return hasIn(campaigns, id);
    const { campaignId } = item as Content['ads'][number];
    return hasIn(ads, id) || (campaignId !== undefined && !hasIn(campaigns, campaignId));
  }

  #restore(blog: string, deleted: Deleted, now: number, isTogether = false): void {
    const bin = (this.#extra.bins.get(blog) ?? []).filter((entry) => keyOf(entry) !== keyOf(deleted));
    this.#note('bins', blog, bin);
    const { kind, id, item, deletedAt } = deleted;
    const stamps = { createdAt: stampOf(now), updatedAt: stampOf(now) };
    this.#edit(blog, now, (content) => {
      const isTaken = hasIn(content[kind === 'post' ? 'posts' : kind === 'ad' ? 'ads' : 'campaigns'], id);
      if (isTaken) refuse(`there is another ${kind} ${id}`);
      const missing = (of: 'categories' | 'tags') =>
        (deleted[of] ?? []).filter((label) => !hasIn(content[of], label.id)).map((label) => ({ ...label, ...stamps }));
      if (kind === 'ad') return { ads: [...content.ads, item as Content['ads'][number]] };
      if (kind === 'campaign') return { campaigns: [...content.campaigns, item as Campaign] };
      return {
        posts: [...content.posts, item as Post],
        categories: [...content.categories, ...(missing('categories') as Content['categories'])],
        tags: [...content.tags, ...missing('tags')],
      };
    });
    if (kind !== 'campaign') return;
    const own = bin.filter((entry) => entry.kind === 'ad' && entry.deletedAt === deletedAt);
    for (const ad of own) {
      const isOfCampaign = (ad.item as Content['ads'][number]).campaignId === id;
      if (isOfCampaign && !(isTogether && this.#isBlocked(blog, ad))) this.#restore(blog, ad, now);
    }
  }

  #key(how: 'add' | 'rotate' | 'revoke', blog: string, key: string, now: number): unknown {
    const { keys } = this.#extra;
    const revoked = [...keys].filter(([name, owner]) => {
      const isChosen = how === 'rotate' || (how === 'revoke' && name === key);
      return isChosen && owner.blog === blog && owner.revokedAt === null;
    });
    if (how !== 'revoke') {
      this.#require(blog);
      if (keys.has(key)) refuse(`the key ${key} was used before`);
    }
    for (const [name, owner] of revoked) {
      this.#note('keys', name, { ...owner, revokedAt: stampOf(now) });
      this.store.revokeKey(name);
    }
    if (how === 'revoke') return revoked.length;
    this.#addKeys(blog, [key], now);
    return undefined;
  }

  #addHook(blog: string, hook: string): boolean {
    const hooks = this.#hooksOf(blog);
    if (!this.#has(blog) || hooks.has(hook)) return false;
    this.#note('hooks', blog, new Set([...hooks, hook]));
    return true;
  }
}

/** Thrown after a dry run, which must undo what it did. */
class DryRun extends Error {}

const keyOf = ({ kind, id, deletedAt }: Deleted): string => `${kind} ${id} ${deletedAt}`;
