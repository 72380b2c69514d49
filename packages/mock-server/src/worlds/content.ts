import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type Clock, createMemoryContent, type MemoryContent, type MemoryState } from '@broadsheet/core';
import { hash } from '../data/random.ts';
import type { ContentChange, ContentIds } from '../data/sample-blog.ts';
import type { AdCounts } from './world.ts';

/** The content of a world at one moment, as JSON. */
export interface SavedContent {
  readonly blog: SnapshotBlogInput;
  /** The maps of the store's events, as pairs. */
  readonly events: Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>;
}

type BlogState = NonNullable<ReturnType<MemoryContent['stateOf']>>;
type Events = NonNullable<BlogState['events']>;

const LISTS = ['categories', 'tags', 'posts', 'campaigns', 'ads'] as const;

let stores = 0;

/** The content of a world: one blog, in a store of its own. */
export class Content {
  readonly store: MemoryContent;
  readonly #clock: Clock;
  readonly #id: string;
  #name: string;

  /** Each key opens the blog. @throws Error for an invalid state */
  constructor(world: string, clock: Clock, keys: readonly string[], { blog, events }: SavedContent) {
    const state = stateOf(blog, clock.now());
    const [id = ''] = state.blogs.keys();
    stores += 1;
    // Revisions differ from those of every other store, so that no ETag is valid in two worlds.
    this.store = createMemoryContent(`${hash(world).toString(36)}-${stores}-`);
    this.store.restore({ ...state, keys: new Map(keys.map((key) => [key, id])) });
    const maps = Object.entries(events).map(([name, pairs]) => [name, new Map(pairs)]);
    if (maps.length > 0) this.store.setEvents(id, Object.fromEntries(maps) as Events);
    this.#clock = clock;
    this.#id = id;
    this.#name = blog.name;
  }

  /** The blog as the API shows it now, drafts included. */
  get blog(): SnapshotBlogInput {
    return blogOf(this.state, this.#name);
  }

  /** The state of the blog. Posts that are due are published first, as the next request would do. */
  get state(): BlogState {
    const now = this.#clock.now();
    const state = () => this.store.stateOf(this.#id) as BlogState;
    if (now >= (state().blog.nextDueAt ?? Number.POSITIVE_INFINITY)) this.store.publishDuePosts(this.#id, now);
    return state();
  }

  put(change: ContentChange): void {
    const { name = this.#name, ...given } = copyOf(change);
    const lists = LISTS.filter((list) => given[list]).map((list) => [list, merged(this.blog[list], given[list])]);
    this.store.putBlog({ ...given, ...Object.fromEntries(lists), id: this.#id, name }, this.#clock.now());
    this.#name = name;
  }

  remove(ids: ContentIds): void {
    const isGone = (list: keyof ContentIds, id: string | undefined) => ids[list]?.includes(id ?? '') === true;
    const left = LISTS.map((list) => [list, this.blog[list]?.filter(({ id }) => !isGone(list, id))]);
    const { posts = [], ads = [], ...rest } = { ...this.blog, ...Object.fromEntries(left) } as SnapshotBlogInput;
    const blog = {
      ...rest,
      posts: posts.map(({ categoryIds = [], tagIds = [], ...post }) => ({
        ...post,
        categoryIds: categoryIds.filter((id) => !isGone('categories', id)),
        tagIds: tagIds.filter((id) => !isGone('tags', id)),
      })),
      ads: ads.map(({ campaignId, ...ad }) => (isGone('campaigns', campaignId) ? ad : { ...ad, campaignId })),
    };
    const { events } = this.state;
    this.store.restore({ ...stateOf(blog, this.#clock.now()), keys: this.store.snapshot().keys });
    if (events) this.store.setEvents(this.#id, events);
  }

  ad(adId: string): AdCounts {
    const { ads, events } = this.state;
    if (!ads.has(adId)) throw new Error(`the blog has no ad ${adId}; it has ${[...ads.keys()].join(', ')}`);
    const total = { impressions: 0, viewable: 0, clicks: 0 };
    for (const row of events?.counts.values() ?? []) {
      if (row.ad !== adId) continue;
      total.impressions += row.delivered;
      total.viewable += row.viewable;
      total.clicks += row.clicks;
    }
    return total;
  }

  save(): SavedContent {
    const maps = Object.entries(this.state.events ?? {}).map(([name, map]) => [name, [...map]]);
    return { blog: this.blog, events: Object.fromEntries(maps) };
  }
}

/** The keys of a world: the given key, the keys of its blog, or a key derived from the name of the world. */
export function keysOf(world: string, { apiKeys = [] }: Pick<SnapshotBlogInput, 'apiKeys'>, given?: string): string[] {
  if (given !== undefined) return [given];
  return apiKeys.length > 0 ? [...apiKeys] : [`mock_${encodeURIComponent(world)}_${hash(`key ${world}`).toString(36)}`];
}

/**
 * The stored form of blogs that a test passed or received. Worlds of the same blog share it until they write.
 */
const known = new WeakMap<object, { readonly state: MemoryState; readonly given?: string }>();

/** A store with one blog, without keys or events. @throws Error for an invalid blog */
function stateOf(blog: SnapshotBlogInput, now: number): MemoryState {
  const found = known.get(blog);
  if (found && found.given === undefined) return found.state;
  const given = `${now} ${JSON.stringify(blog)}`;
  if (found?.given === given) return found.state;
  const { apiKeys: _, ...content } = copyOf(blog);
  const store = createMemoryContent();
  store.putBlog({ ...content, id: content.id ?? 'blog-sample' }, now);
  const state = store.snapshot();
  known.set(blog, { state, given });
  return state;
}

const views = new WeakMap<object, SnapshotBlogInput>();

/** A blog in the form of a snapshot. It is frozen, because a change to it would not reach the API. */
function blogOf(state: BlogState, name: string): SnapshotBlogInput {
  const made = views.get(state.blog);
  if (made) return made;
  const { id, domains, timeZone } = state.blog;
  const lists = LISTS.map((list) => [list, [...state[list].values()].map(({ blogId: _, ...item }: Item) => item)]);
  const view = frozen({ id, name, domains, ...(timeZone && { timeZone }), ...Object.fromEntries(lists) });
  views.set(state.blog, view);
  known.set(view, { state: { blogs: new Map([[id, { ...state, events: undefined }]]), keys: new Map() } });
  return view;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** A copy, because the test may change the object that it passed; undefined fields are left out. */
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

interface Item {
  readonly id: string;
  readonly blogId?: string;
  readonly updatedAt?: string | undefined;
}

/** The given items, completed with the fields of the existing items, except for the time of the last change. */
function merged(before: readonly Item[] = [], given: readonly Item[] = []): Item[] {
  const stored = new Map(before.map(({ updatedAt: _, ...item }) => [item.id, item]));
  const changed = new Map<string, Item>();
  for (const item of given) changed.set(item.id, { ...stored.get(item.id), ...changed.get(item.id), ...item });
  return [...changed.values()];
}
