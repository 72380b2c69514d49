import type { ServerStore } from '../server-store.ts';

/** What is done to one blog over the doors of a deployment. */
export const BLOG_VERBS = [
  'createBlog',
  'setDomains',
  'renameBlog',
  'deleteBlog',
  'exportBlog',
  'listAllPosts',
  'getAnyPost',
  'publishPost',
  'unpublishPost',
  'deletePost',
  'listKeys',
  'addKey',
  'revokeKeys',
  'rotateKey',
  'listAllAds',
  'putAd',
  'setAdActive',
  'deleteAd',
  'countsByDay',
  'countsByPlacement',
] as const satisfies readonly (keyof ServerStore)[];

/** The part of a server's store that operators use: it is also there for a deployment elsewhere. */
export type ManagedStore = Pick<ServerStore, (typeof BLOG_VERBS)[number] | 'importBlogs' | 'listBlogs' | 'close'>;
