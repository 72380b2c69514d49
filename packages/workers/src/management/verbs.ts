import type { Verbs } from '@broadsheet/management';
import type { DurableStore } from '../durable/open-durable-store.ts';
import type { ImportParts } from './import-parts.ts';

/** The verbs of an object: methods of its store, and the steps of an import and of a copy. */
export function createVerbs(store: DurableStore, imports: ImportParts): Verbs {
  const { copy } = store;
  return {
    ...store,
    listBlogs: () => store.listBlogs(),
    addImportPart: async (upload, blog) => imports.add(upload, blog),
    importParts: (upload, now, options) => imports.run(store, upload, now, options),
    beginCopy: copy.begin,
    readCopy: copy.read,
    endCopy: copy.end,
    clearForCopy: copy.clear,
    writeCopy: copy.write,
    finishCopy: async () => undefined,
  };
}

/** Verbs after which a key may open the blog that did not before. */
export const ADDS_KEYS: ReadonlySet<keyof Verbs> = new Set([
  'importParts',
  'addKey',
  'rotateKey',
  'finishCopy',
  'createBlog',
]);
/** Verbs after which a post may be due at another time. */
export const CHANGES_POSTS: ReadonlySet<keyof Verbs> = new Set([
  'importParts',
  'publishPost',
  'unpublishPost',
  'deletePost',
  'restoreFromBin',
  'finishCopy',
]);
