import type { SnapshotBlogInput } from '@broadsheet/contract';
import { createMemoryStore } from '@broadsheet/core';
import type { ContentState } from './content.ts';

/** A {@link ContentState} as JSON writes it: without what follows from the blog. */
export interface WrittenContent {
  readonly blog: SnapshotBlogInput;
  readonly keys: readonly string[];
  /** What happened to the ads: the maps of the store, as pairs. */
  readonly events: Readonly<Record<string, readonly [string, unknown][]>>;
}

const EVENTS = ['counts', 'usedTokens', 'countedClicks'] as const;

/** Takes a state apart, so that JSON can hold it. */
export function write({ blog, store: { blogs, keys } }: ContentState): WrittenContent {
  const [state] = blogs.values();
  const events = EVENTS.map((event): [string, [string, unknown][]] => [event, [...(state?.[event] ?? [])]]);
  return { blog, keys: [...keys.keys()], events: Object.fromEntries(events) };
}

/** Puts it together again. */
export function read({ blog, keys, events }: WrittenContent, now: number): ContentState {
  const store = createMemoryStore();
  store.putBlog({ ...blog, apiKeys: [...keys] }, now);
  const state = store.snapshot();
  const maps = Object.fromEntries(EVENTS.map((event) => [event, new Map(events[event])]));
  const blogs = new Map([...state.blogs].map(([id, made]) => [id, { ...made, ...maps }]));
  return { blog, store: { ...state, blogs } };
}
