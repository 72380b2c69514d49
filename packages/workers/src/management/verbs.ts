import { BLOG_VERBS, type DurableStore } from '@broadsheet/store/durable';
import type { ImportParts } from './import-parts.ts';

/** What is done to an object over the doors of management: its arguments and what it gives are JSON. */
export type Verbs = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** The verbs of an object: those of its store, and the steps of an import and of a copy. */
export function createVerbs(store: DurableStore, imports: ImportParts): Verbs {
  const { copy } = store;
  return {
    ...Object.fromEntries(BLOG_VERBS.map((verb) => [verb, store[verb] as (...args: never[]) => Promise<unknown>])),
    listBlogs: () => store.listBlogs(),
    addImportPart: async (upload: string, text: string) => imports.add(upload, text),
    importParts: (upload: string, now: number, options: object) => imports.run(store, upload, now, options),
    beginCopy: copy.begin,
    readCopy: copy.read,
    endCopy: copy.end,
    clearForCopy: copy.clear,
    writeCopy: copy.write,
    finishCopy: async () => undefined,
  };
}

/** Verbs after which a key may open the blog that did not before. */
export const ADDS_KEYS: ReadonlySet<string> = new Set([
  'importParts',
  'addKey',
  'rotateKey',
  'finishCopy',
  'createBlog',
]);
/** Verbs after which a post may be due at another time. */
export const CHANGES_POSTS: ReadonlySet<string> = new Set([
  'importParts',
  'publishPost',
  'unpublishPost',
  'deletePost',
  'finishCopy',
]);
