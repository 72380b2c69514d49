import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type Clock, createMemoryStore, type MemoryState, type MemoryStore } from '@broadsheet/core';
import { hash } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import type { AdCounts } from './world.ts';

/** The content of a world as it was at some moment. */
export interface ContentState {
  readonly blog: SnapshotBlogInput;
  readonly apiKey: string;
  readonly store: MemoryState;
}

/** What a world holds: one blog behind one key, as it was written and as the API reads it. */
export interface Content {
  readonly blog: SnapshotBlogInput;
  readonly apiKey: string;
  readonly store: MemoryStore;
  put(content: Partial<BlogContent>): void;
  /** Revokes the key for a new one. */
  rotateKey(): string;
  ad(id: string): AdCounts;
  /** Costs nothing, however large the blog is: every write makes a new state and leaves the old one as it was. */
  save(): ContentState;
  load(state: ContentState): void;
}

/** Writes the blog of a world into a store of its own. */
export function createContent(name: string, first: BlogContent, key: string | undefined, clock: Clock): Content {
  const store = createMemoryStore();
  let blog: SnapshotBlogInput = { id: `blog-${name}`, ...first };
  let apiKey = key ?? keyOf(name, 0);
  let rotations = 0;
  store.putBlog({ ...blog, apiKeys: [apiKey] }, clock.now());

  return {
    store,
    get blog() {
      return blog;
    },
    get apiKey() {
      return apiKey;
    },
    put(content) {
      const before = blog;
      store.putBlog({ id: blog.id, name: blog.name, domains: blog.domains, ...content }, clock.now());
      blog = { ...blog, ...content };
      for (const name of LISTS) blog = { ...blog, [name]: merge(before[name], content[name]) };
    },
    rotateKey() {
      store.revokeKey(apiKey);
      rotations += 1;
      apiKey = keyOf(name, rotations);
      store.addKey(blog.id, apiKey);
      return apiKey;
    },
    ad(id) {
      const ids = store.listAllAds(blog.id).map((ad) => ad.id);
      if (!ids.includes(id)) throw new Error(`world ${name} has no ad ${id}; it has ${ids.join(', ')}`);
      const days = store.countsByDay(blog.id).filter(({ adId }) => adId === id);
      const sum = (what: keyof AdCounts) => days.reduce((total, day) => total + day[what], 0);
      return { impressions: sum('impressions'), clicks: sum('clicks') };
    },
    save: () => ({ blog, apiKey, store: store.snapshot() }),
    load(state) {
      // First what refuses a state that is none, so that nothing has changed when it does.
      store.restore(state.store);
      ({ blog, apiKey } = state);
    },
  };
}

const keyOf = (name: string, rotation: number): string => {
  const check = hash(`key ${name} ${rotation}`).toString(36);
  return `mock_${encodeURIComponent(name)}_${check}${rotation || ''}`;
};

const LISTS = ['categories', 'tags', 'posts', 'ads'] as const;

function merge(before: readonly { readonly id: string }[] = [], more: typeof before = []): typeof before {
  return [...new Map([...before, ...more].map((item) => [item.id, item])).values()];
}
