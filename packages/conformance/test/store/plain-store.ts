import type { Post } from '@broadsheet/contract';
import { type CountedPosts, decoded, type Range, type Store } from '@broadsheet/core';

type PostVerb = 'listPosts' | 'getPost' | 'getPostBySlug' | 'previewPost' | 'listCategoryPosts' | 'listTagPosts';

interface PlainSlice {
  readonly items: readonly Post[];
  readonly total: number;
}

/** A store that returns posts as values. */
export interface PlainStore extends Omit<Store, PostVerb> {
  listPosts(blogId: string, range: Range): Promise<readonly Post[]>;
  getPost(blogId: string, id: string): Promise<Post | undefined>;
  getPostBySlug(blogId: string, slug: string): Promise<Post | undefined>;
  previewPost(blogId: string, id: string): Promise<Post | undefined>;
  listCategoryPosts(blogId: string, categoryId: string, range: Range): Promise<PlainSlice | undefined>;
  listTagPosts(blogId: string, tagId: string, range: Range): Promise<PlainSlice | undefined>;
}

/** Wraps a store so that it returns posts as values, even if it returns them encoded. */
export function plain(store: Store): PlainStore {
  let lists = 0;
  // Every list has a new revision, so that the store returns nothing from a cache.
  const version = (id: string) => {
    lists += 1;
    return { id, revision: `revision-${lists}` };
  };
  const slice = (given: CountedPosts | undefined) => given && { ...given, items: decoded(given.items) };
  return {
    ...store,
    listPosts: async (blogId, range) => decoded(await store.listPosts(version(blogId), range)),
    getPost: async (blogId, id) => decoded(await store.getPost(blogId, id)),
    getPostBySlug: async (blogId, slug) => decoded(await store.getPostBySlug(blogId, slug)),
    previewPost: async (blogId, id) => decoded(await store.previewPost(blogId, id)),
    listCategoryPosts: async (blogId, id, range) => slice(await store.listCategoryPosts(version(blogId), id, range)),
    listTagPosts: async (blogId, id, range) => slice(await store.listTagPosts(version(blogId), id, range)),
  };
}
