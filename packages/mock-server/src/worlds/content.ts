import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type AdEvents, type Clock, createMemoryContent, type MemoryState } from '@broadsheet/core';
import { hash } from '../data/random.ts';
import type { BlogContent, ContentChange, ContentIds, WorldContent } from '../data/sample-blog.ts';
import type { AdCounts } from './world.ts';

/** The content of a world at one moment. */
export interface ContentState {
  readonly blog: SnapshotBlogInput;
  readonly store: MemoryState;
  toJSON(): WrittenContent;
}

/** The same as JSON, without data that is derived from the blog. */
export interface WrittenContent {
  readonly blog: SnapshotBlogInput;
  readonly keys: readonly string[];
  /** The maps of the store's {@link AdEvents}, as pairs. */
  readonly events: Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>;
}

/** States by their blog, with their creation time: worlds of one blog share the state until they write. */
const states = new WeakMap<object, { readonly now: number; readonly state: MemoryState }>();

/** The content of a world: one blog, as it was written and, in the world's own store, as the API reads it. */
export class Content {
  readonly store = createMemoryContent();
  blog: SnapshotBlogInput;
  /** Every key that opens the blog. */
  keys: readonly string[];
  readonly #world: string;
  readonly #clock: Clock;
  #rotations = 0;

  constructor(world: string, first: WorldContent, key: string | undefined, clock: Clock) {
    const given = blogOf(first);
    const { apiKeys = [], ...rest } = given;
    this.#world = world;
    this.#clock = clock;
    this.blog = { ...rest, id: rest.id ?? 'blog-sample' };
    this.keys = key === undefined && apiKeys.length > 0 ? [...apiKeys] : [key ?? keyOf(world, 0)];
    this.store.restore(stateOf(given, this.blog, clock.now()));
    for (const one of this.keys) this.store.addKey(this.blog.id, one);
  }

  get apiKey(): string {
    return this.keys[0] ?? '';
  }

  put(content: ContentChange): void {
    const changed: SnapshotBlogInput = Object.assign({ ...this.blog }, content);
    for (const list of LISTS) Object.assign(changed, { [list]: merged(this.blog[list], content[list]) });
    this.store.putBlog(changed, this.#clock.now());
    this.blog = changed;
  }

  remove(ids: ContentIds): void {
    const stays = (list: (typeof LISTS)[number]) => (item: string) => !ids[list]?.includes(item);
    const left: SnapshotBlogInput = { ...this.blog };
    for (const list of LISTS) Object.assign(left, { [list]: left[list]?.filter((item) => stays(list)(item.id)) });
    const posts = left.posts?.map((post) => {
      const [categoryIds, tagIds] = [post.categoryIds?.filter(stays('categories')), post.tagIds?.filter(stays('tags'))];
      return Object.assign({ ...post }, { categoryIds, tagIds });
    });
    const ads = left.ads?.map(({ campaignId, ...ad }) =>
      campaignId !== undefined && stays('campaigns')(campaignId) ? { ...ad, campaignId } : ad,
    );
    this.load(written(Object.assign(left, { posts, ads }), this.store.snapshot()), this.#clock.now());
  }

  /** Replaces all keys by a new one. */
  rotateKey(): string {
    for (const one of this.keys) this.store.revokeKey(one);
    this.#rotations += 1;
    this.keys = [keyOf(this.#world, this.#rotations)];
    this.store.addKey(this.blog.id, this.apiKey);
    return this.apiKey;
  }

  ad(adId: string): AdCounts {
    const ids = this.blog.ads?.map(({ id }) => id) ?? [];
    if (!ids.includes(adId)) throw new Error(`world ${this.#world} has no ad ${adId}; it has ${ids.join(', ')}`);
    const total = { impressions: 0, viewable: 0, clicks: 0 };
    for (const day of this.#events?.counts.values() ?? []) {
      if (day.adId === adId) for (const name of COUNTERS) total[name] += day[name];
    }
    return total;
  }

  /** Whether a click token was used. */
  hadClick(tokenId: string): boolean {
    return this.#events?.usedTokens.has(tokenId) === true;
  }

  get #events(): AdEvents | undefined {
    return this.store.stateOf(this.blog.id)?.events;
  }

  /** Takes constant time: every write creates a new state and leaves the old one unchanged. */
  save(): ContentState {
    const { blog } = this;
    const store = this.store.snapshot();
    return { blog, store, toJSON: () => written(blog, store) };
  }

  /** Restores a state, also one read from JSON. @throws Error for anything else, without a change */
  load(state: ContentState | WrittenContent, now: number): void {
    const next = 'store' in state ? state.store : storeOf(state, now);
    this.store.restore(next);
    this.blog = state.blog;
    this.keys = [...next.keys.keys()];
  }
}

const COUNTERS = ['impressions', 'viewable', 'clicks'] as const;
const LISTS = ['categories', 'tags', 'posts', 'campaigns', 'ads'] as const;

/** The blog of the given content. */
function blogOf(given: WorldContent): BlogContent & Partial<Pick<SnapshotBlogInput, 'id' | 'apiKeys'>> {
  return 'blogs' in given ? (given.blogs[0] as SnapshotBlogInput) : given;
}

/** The state of a store with a blog and no keys. */
function stateOf(given: object, blog: SnapshotBlogInput, now: number): MemoryState {
  const known = states.get(given);
  if (known?.now === now) return known.state;
  const store = createMemoryContent();
  store.putBlog(blog, now);
  const state = store.snapshot();
  states.set(given, { now, state });
  return state;
}

const keyOf = (name: string, rotation: number): string => {
  const check = hash(`key ${name} ${rotation}`).toString(36);
  return `mock_${encodeURIComponent(name)}_${check}${rotation || ''}`;
};

/** Merges a change into a list: existing items get the given fields. */
function merged(before: readonly Item[] = [], given: readonly Item[] = []): Item[] {
  const all = new Map(before.map((item) => [item.id, item]));
  for (const item of given) all.set(item.id, { ...all.get(item.id), ...item });
  return [...all.values()];
}

interface Item {
  readonly id: string;
}

function written(blog: SnapshotBlogInput, { blogs, keys }: MemoryState): WrittenContent {
  const events = Object.entries(blogs.get(blog.id)?.events ?? {}).map(([name, map]) => [name, [...map]]);
  return { blog, keys: [...keys.keys()], events: Object.fromEntries(events) };
}

function storeOf({ blog, keys, events }: WrittenContent, now: number): MemoryState {
  const store = createMemoryContent();
  store.putBlog({ ...blog, apiKeys: [...keys] }, now);
  const maps = Object.entries(events).map(([name, pairs]) => [name, new Map(pairs)]);
  if (maps.length > 0) store.setEvents(blog.id, Object.fromEntries(maps));
  return store.snapshot();
}
