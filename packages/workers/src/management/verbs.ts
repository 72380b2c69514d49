import type { ServerStore } from '@broadsheet/store';

/** Verbs of the store that change something. */
export const WRITING: ReadonlySet<string> = new Set<keyof ServerStore>([
  'createBlog',
  'setDomains',
  'renameBlog',
  'deleteBlog',
  'importBlogs',
  'publishPost',
  'unpublishPost',
  'deletePost',
  'addKey',
  'revokeKeys',
  'rotateKey',
  'putAd',
  'setAdActive',
  'deleteAd',
]);

const READING: ReadonlySet<string> = new Set<keyof ServerStore>([
  'listBlogs',
  'exportBlog',
  'listAllPosts',
  'getAnyPost',
  'listKeys',
  'listAllAds',
  'countsByDay',
]);

/** Whether a verb of the store may be called from outside of its object. */
export function isVerb(verb: string): verb is keyof ServerStore {
  return WRITING.has(verb) || READING.has(verb);
}

/** A verb of the store with its arguments, as JSON carries them. */
export interface VerbCall {
  readonly verb: string;
  readonly args: readonly unknown[];
  /** Where the deployment answers. */
  readonly origin: string;
}

/** What came of it: its result, or why it was not run. */
export type VerbAnswer = { readonly result: unknown } | { readonly refused: string };
