import type { Post } from '@broadsheet/contract';
import { type CountedPosts, decoded, type Range, type Store } from '@broadsheet/core';

type PostVerb = 'listPosts' | 'getPost' | 'getPostBySlug' | 'listCategoryPosts' | 'listTagPosts';

interface PlainSlice {
  readonly items: readonly Post[];
  readonly total: number;
}

/** A store whose posts are values. */
export interface PlainStore extends Omit<Store, PostVerb> {
  listPosts(blogId: string, range: Range): Promise<readonly Post[]>;
  getPost(blogId: string, id: string): Promise<Post | undefined>;
  getPostBySlug(blogId: string, slug: string): Promise<Post | undefined>;
  listCategoryPosts(blogId: string, categoryId: string, range: Range): Promise<PlainSlice | undefined>;
  listTagPosts(blogId: string, tagId: string, range: Range): Promise<PlainSlice | undefined>;
}

/** The same store with its posts as values, in whichever form it hands them out. */
export function plain(store: Store): PlainStore {
  let lists = 0;
  // Nothing is remembered from one list to the next: to the store each is of another revision.
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
    listCategoryPosts: async (blogId, id, range) => slice(await store.listCategoryPosts(version(blogId), id, range)),
    listTagPosts: async (blogId, id, range) => slice(await store.listTagPosts(version(blogId), id, range)),
  };
}
