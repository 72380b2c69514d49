import { codeUnitOrder } from '../content/fold.ts';
import type { Range, Store } from '../store.ts';
import { type AdEventStore, createAdEvents, type Synchronous } from './ad-events.ts';
import { type AdEvents, type BlogState, copyEvents, publishDuePosts, putBlog } from './memory-blog.ts';
import { sortedLabels, toPost } from './published.ts';

/** A store in memory, except for the part that counts ads. Its methods are synchronous, and its state can be saved. */
export type MemoryContent = Synchronous<Omit<Store, keyof AdEventStore | 'peekBlog'>> & {
  /** Gives a key access to a blog, or revokes it. */
  addKey(blogId: string, apiKey: string): void;
  revokeKey(apiKey: string): void;
  stateOf(blogId: string): BlogState | undefined;
  setEvents(blogId: string, events: AdEvents): void;
  /** The current state, which later writes do not change. */
  snapshot(): MemoryState;
  /** Goes back to a state with new revisions, so that nothing cached for a later state is mistaken for this one. */
  restore(state: MemoryState): void;
};

/** A {@link Store} in memory. */
export type MemoryStore = MemoryContent & AdEventStore;

/** Creates an empty store. */
export function createMemoryStore(): MemoryStore {
  const content = createMemoryContent();
  return { ...content, ...createAdEvents(content) };
}

const slice = <T>(items: readonly T[], { offset, limit }: Range): T[] => items.slice(offset, offset + limit);

const sliceOf = <T>(items: readonly T[] | undefined, range: Range) =>
  items && { items: slice(items, range), total: items.length };

/** The state of a store at one moment: an opaque value from which it can be restored. */
export interface MemoryState {
  readonly blogs: ReadonlyMap<string, BlogState>;
  readonly keys: ReadonlyMap<string, string>;
}

/** Only the maps of events are changed in place. */
function copyOf({ blogs, keys }: MemoryState) {
  const copied = new Map<string, BlogState>();
  for (const [id, blog] of blogs) copied.set(id, { ...blog, events: blog.events && copyEvents(blog.events) });
  return { blogs: copied, keys: new Map(keys) };
}

/** Creates an empty store that counts no ads; see `createAdEvents`. Its revisions begin with `prefix`. */
export function createMemoryContent(prefix = 'm'): MemoryContent {
  let blogs = new Map<string, BlogState>();
  let keys = new Map<string, string>();
  let writes = 0;
  const nextRevision = () => `${prefix}${(++writes).toString(36)}`;

  const stateOf = (blogId: string) => blogs.get(blogId);

  return {
    findBlog: (apiKey) => blogs.get(keys.get(apiKey) ?? '')?.blog,
    ...createReads(stateOf),

    stateOf,
    setEvents(blogId, events) {
      const state = blogs.get(blogId);
      if (state) blogs.set(blogId, { ...state, events });
    },
    putBlog(input, now) {
      const state = putBlog(blogs.get(input.id), input, now, nextRevision());
      const taken = (input.apiKeys ?? []).find((key) => (keys.get(key) ?? input.id) !== input.id);
      if (taken !== undefined) throw new Error(`An API key of blog ${input.id} already opens another blog.`);
      blogs.set(input.id, state);
      for (const key of input.apiKeys ?? []) keys.set(key, input.id);
    },
    addKey: (blogId, apiKey) => void keys.set(apiKey, blogId),
    revokeKey: (apiKey) => void keys.delete(apiKey),
    publishDuePosts(blogId, now) {
      const state = blogs.get(blogId);
      const published = state && publishDuePosts(state, now, nextRevision());
      if (published) blogs.set(blogId, published);
    },
    check: () => undefined,
    snapshot: () => copyOf({ blogs, keys }),
    restore(state) {
      ({ blogs, keys } = copyOf(state));
      for (const [id, one] of blogs) blogs.set(id, { ...one, blog: { ...one.blog, revision: nextRevision() } });
    },
  };
}

/** Reads of blogs; none changes anything. */
function createReads(stateOf: (blogId: string) => BlogState | undefined) {
  const publishedOf = (blogId: string) => stateOf(blogId)?.published;
  return {
    listPosts: (blog, range) => slice(publishedOf(blog.id)?.posts ?? [], range),
    getPost: (blogId, id) => publishedOf(blogId)?.byId.get(id),
    getPostBySlug: (blogId, slug) => publishedOf(blogId)?.bySlug.get(slug),
    previewPost(blogId, id) {
      const state = stateOf(blogId);
      const post = state?.posts.get(id);
      if (!state || !post) return undefined;
      return toPost(post, sortedLabels(state.categories.values()), sortedLabels(state.tags.values()));
    },
    searchPosts(blogId, terms, range) {
      const hits = (publishedOf(blogId)?.searchable ?? [])
        .filter(({ title, subtitle }) => terms.every((term) => title.includes(term) || subtitle.includes(term)))
        .map(({ title, item }) => ({ item, inTitle: terms.filter((term) => title.includes(term)).length }))
        .sort((a, b) => b.inTitle - a.inTitle);
      return slice(hits, range).map(({ item }) => item);
    },
    listCategories: (blogId) => publishedOf(blogId)?.categories ?? [],
    getCategory: (blogId, id) => publishedOf(blogId)?.categories.find((category) => category.id === id),
    listCategoryPosts: (blog, id, range) => sliceOf(publishedOf(blog.id)?.postsByCategory.get(id), range),
    listTags: (blogId) => publishedOf(blogId)?.tags ?? [],
    getTag: (blogId, id) => publishedOf(blogId)?.tags.find((tag) => tag.id === id),
    listTagPosts: (blog, id, range) => sliceOf(publishedOf(blog.id)?.postsByTag.get(id), range),

    listAds: (blogId) =>
      [...(stateOf(blogId)?.ads.values() ?? [])].filter(({ active }) => active).sort((a, b) => b.priority - a.priority),
    listCampaigns: (blogId) =>
      [...(stateOf(blogId)?.campaigns.values() ?? [])].sort((a, b) => codeUnitOrder(a.id, b.id)),
  } satisfies Partial<MemoryContent>;
}
