import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type Clock, createMemoryStore, type MemoryState, type MemoryStore } from '@broadsheet/core';
import { hash } from '../data/random.ts';
import type { BlogContent, ContentChange, ContentIds, WorldContent } from '../data/sample-blog.ts';
import type { AdCounts } from './world.ts';

/** The content of a world as it was at some moment. */
export interface ContentState {
  readonly blog: SnapshotBlogInput;
  readonly store: MemoryState;
  toJSON(): WrittenContent;
}

/** The same as JSON: without what follows from the blog. */
export interface WrittenContent {
  readonly blog: SnapshotBlogInput;
  readonly keys: readonly string[];
  /** What happened to the ads: the maps of the store, as pairs. */
  readonly events: Readonly<Record<string, readonly [string, unknown][]>>;
}

const EVENTS = ['counts', 'placements', 'usedTokens', 'countedClicks'] as const;

/** What a world holds: one blog behind one key, as it was written and as the API reads it. */
export interface Content {
  blog(): SnapshotBlogInput;
  apiKey(): string;
  /** Every key that opens the blog. */
  keys(): readonly string[];
  readonly store: MemoryStore;
  put(content: ContentChange): void;
  remove(ids: ContentIds): void;
  /** Revokes the key for a new one. */
  rotateKey(): string;
  ad(id: string): AdCounts;
  /** Costs nothing, however large the blog is: every write makes a new state and leaves the old one as it was. */
  save(): ContentState;
  /** Goes back to a state, which may have been JSON since. @throws Error for what is none, with nothing changed */
  load(state: ContentState | WrittenContent, now: number): void;
}

/** States by the blog they were made from, with their instant: worlds of one blog share all of it until they write. */
const states = new WeakMap<object, { readonly now: number; readonly state: MemoryState }>();
const ID = 'blog-sample';

/** Writes the blog of a world into a store of its own. */
export function createContent(name: string, first: WorldContent, key: string | undefined, clock: Clock): Content {
  const given = blogOf(first);
  const { apiKeys = [], ...rest } = given;
  const id = rest.id ?? ID;
  let blog: SnapshotBlogInput = { ...rest, id };
  let keys = key === undefined && apiKeys.length > 0 ? [...apiKeys] : [key ?? keyOf(name, 0)];
  let rotations = 0;
  const store = createMemoryStore();
  store.restore(stateOf(given, blog, clock.now()));
  for (const one of keys) store.addKey(id, one);

  return {
    store,
    blog: () => blog,
    apiKey: () => keys[0] ?? '',
    keys: () => keys,
    put(content) {
      const changed: SnapshotBlogInput = Object.assign({ ...blog }, content);
      for (const list of LISTS) Object.assign(changed, { [list]: merged(blog[list], content[list]) });
      store.putBlog(changed, clock.now());
      blog = changed;
    },
    remove(ids) {
      const stays = (list: (typeof LISTS)[number]) => (item: string) => !ids[list]?.includes(item);
      const left: SnapshotBlogInput = { ...blog };
      for (const list of LISTS) Object.assign(left, { [list]: blog[list]?.filter((item) => stays(list)(item.id)) });
      const [categoryIds, tagIds] = [stays('categories'), stays('tags')];
      left.posts = left.posts?.map((post) =>
        Object.assign(
          { ...post },
          { categoryIds: post.categoryIds?.filter(categoryIds), tagIds: post.tagIds?.filter(tagIds) },
        ),
      );
      this.load(written(left, store.snapshot()), clock.now());
    },
    rotateKey() {
      for (const one of keys) store.revokeKey(one);
      rotations += 1;
      keys = [keyOf(name, rotations)];
      store.addKey(id, keys[0] ?? '');
      return keys[0] ?? '';
    },
    ad(adId) {
      const ids = store.listAllAds(id).map((ad) => ad.id);
      if (!ids.includes(adId)) throw new Error(`world ${name} has no ad ${adId}; it has ${ids.join(', ')}`);
      const days = store.countsByDay(id).filter((day) => day.adId === adId);
      const sum = (counter: 'impressions' | 'clicks') => days.reduce((total, day) => total + day[counter], 0);
      return { impressions: sum('impressions'), clicks: sum('clicks') };
    },
    save() {
      const state = store.snapshot();
      return { blog, store: state, toJSON: () => written(blog, state) };
    },
    load(state, now) {
      const next = 'store' in state ? state.store : storeOf(state, now);
      store.restore(next);
      blog = state.blog;
      keys = [...next.keys.keys()];
    },
  };
}

const LISTS = ['categories', 'tags', 'posts', 'ads'] as const;

/** The one blog of what is given. */
function blogOf(given: WorldContent): BlogContent & Partial<Pick<SnapshotBlogInput, 'id' | 'apiKeys'>> {
  return 'blogs' in given ? (given.blogs[0] as SnapshotBlogInput) : given;
}

/** The state of a store that holds a blog and no key. */
function stateOf(given: object, blog: SnapshotBlogInput, now: number): MemoryState {
  const known = states.get(given);
  if (known?.now === now) return known.state;
  const store = createMemoryStore();
  store.putBlog(blog, now);
  const state = store.snapshot();
  states.set(given, { now, state });
  return state;
}

const keyOf = (name: string, rotation: number): string => {
  const check = hash(`key ${name} ${rotation}`).toString(36);
  return `mock_${encodeURIComponent(name)}_${check}${rotation || ''}`;
};

/** A list after a change: items that are known get the fields that are given. */
function merged(before: readonly Item[] = [], given: readonly Item[] = []): Item[] {
  const all = new Map(before.map((item) => [item.id, item]));
  for (const item of given) all.set(item.id, { ...all.get(item.id), ...item });
  return [...all.values()];
}

interface Item {
  readonly id: string;
}

function written(blog: SnapshotBlogInput, { blogs, keys }: MemoryState): WrittenContent {
  const [state] = blogs.values();
  const events = EVENTS.map((event): [string, [string, unknown][]] => [event, [...(state?.[event] ?? [])]]);
  return { blog, keys: [...keys.keys()], events: Object.fromEntries(events) };
}

function storeOf({ blog, keys, events }: WrittenContent, now: number): MemoryState {
  const store = createMemoryStore();
  store.putBlog({ ...blog, apiKeys: [...keys] }, now);
  const state = store.snapshot();
  const maps = Object.fromEntries(EVENTS.map((event) => [event, new Map(events[event])]));
  return { ...state, blogs: new Map([...state.blogs].map(([id, made]) => [id, { ...made, ...maps }])) };
}
