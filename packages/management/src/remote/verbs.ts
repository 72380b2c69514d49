import type { BlogRecord, CopyTable, ImportedBlog, ImportOptions, Row, SqlStore } from '@broadsheet/store';

/** Methods of a blog's store that are verbs of /manage; each takes the id of the blog first. */
export const STORE_VERBS = [
  'setDomains',
  'renameBlog',
  'deleteBlog',
  'exportBlog',
  'listAllPosts',
  'getAnyPost',
  'createPreviewToken',
  'publishPost',
  'unpublishPost',
  'deletePost',
  'exportPost',
  'listKeys',
  'addKey',
  'revokeKeys',
  'rotateKey',
  'listAllAds',
  'putAd',
  'setAdActive',
  'deleteAd',
  'exportAd',
  'listCampaigns',
  'putCampaign',
  'deleteCampaign',
  'exportCampaign',
  'listBin',
  'restoreFromBin',
  'missingImages',
  'pruneImages',
  'moveMedia',
  'listHooks',
  'addHook',
  'rotateHook',
  'deleteHook',
  'testHook',
  'listHookMessages',
  'sendHookMessage',
  'countsByDay',
  'countsByCampaign',
  'countsByTraffic',
  'countsByPlacement',
] as const satisfies readonly (keyof SqlStore)[];
export type StoreVerb = (typeof STORE_VERBS)[number];

/** What `POST /manage/{blog}/{verb}` runs: the arguments and the result of each verb are JSON. */
export interface Verbs extends Pick<SqlStore, StoreVerb | 'createBlog'> {
  /** The blog, if it exists. */
  listBlogs(): Promise<readonly BlogRecord[]>;
  /** Stores an image that is sent as base64. */
  addImage(blogId: string, base64: string): Promise<void>;
  /** Stores part of an upload: a blog with some of its posts, as JSON. */
  addImportPart(upload: string, blog: string): Promise<void>;
  /** Imports the parts of an upload in one transaction. */
  importParts(upload: string, now: number, options: ImportOptions): Promise<readonly ImportedBlog[]>;
  /** Takes a snapshot of all rows, and counts the posts. */
  beginCopy(): Promise<number>;
  /** Rows of the snapshot from a position on, and the position of the next rows. */
  readCopy(table: CopyTable, from: number): Promise<{ readonly rows: readonly Row[]; readonly next?: number }>;
  endCopy(): Promise<void>;
  /** Removes every row, so that others can be written. */
  clearForCopy(): Promise<void>;
  writeCopy(table: CopyTable, rows: readonly Row[]): Promise<void>;
  finishCopy(): Promise<void>;
}

/** The names of all verbs. */
export const VERBS: readonly (keyof Verbs)[] = [
  ...STORE_VERBS,
  'createBlog',
  'listBlogs',
  'addImage',
  'addImportPart',
  'importParts',
  'beginCopy',
  'readCopy',
  'endCopy',
  'clearForCopy',
  'writeCopy',
  'finishCopy',
];

/** The part of a server's store that operators use; a remote deployment has it too. */
export type ManagedStore = Pick<
  SqlStore,
  StoreVerb | 'putImage' | 'findImage' | 'createBlog' | 'exportInParts' | 'importBlogs' | 'listBlogs' | 'close'
>;
