import {
  address,
  choice,
  flag,
  integer,
  list,
  optional,
  type Rule,
  record,
  SnapshotAd,
  SnapshotBlog,
  SnapshotCampaign,
  text,
  WEBHOOK_TYPES,
} from '@broadsheet/contract';
import type { BlogRecord, CopyTable, ImportedBlog, Row, SqlStore } from '@broadsheet/store';
import type { Scope } from '../tokens/tokens.ts';
import type { ImportParts } from './import-parts.ts';

/** A verb of `/manage`: who may use it, what it takes, and what the log says about it. */
interface VerbRule {
  /** The scopes that permit it, besides `all`. */
  readonly scopes: readonly Scope[];
  /** The arguments after the id of the blog. */
  readonly args: readonly Rule[];
  /** The change as a sentence without a subject; `undefined` if nothing was changed. */
  readonly log?: (args: readonly unknown[], result: unknown) => string | undefined;
}

const anyText = text();
const days = optional(record({ from: optional(anyText), to: optional(anyText) }));
const CONTENT = ['import'] as const;
const ADS = ['ads'] as const;
const HOOK = record({
  id: anyText,
  url: address(['https', 'http']),
  types: list(choice(WEBHOOK_TYPES)),
  secret: anyText,
});
const ROTATED_HOOK = record({ id: anyText, secret: anyText });
const IMAGES = ['import', 'ads'] as const;
const FIGURES = ['ads', 'stats'] as const;
const EVERY = ['import', 'ads', 'stats'] as const;

/** Logs a change of the item that the first argument names or contains, if there was one. */
const changed =
  (what: string) =>
  ([item]: readonly unknown[], result: unknown): string | undefined =>
    result ? `${what} ${typeof item === 'string' ? item : String((item as { id?: unknown }).id)}` : undefined;

/** Methods of the store that are verbs under the same name; each takes the id of the blog first. */
export const STORE_VERBS = {
  setDomains: { scopes: [], args: [list(anyText), optional(list(anyText))], log: () => 'changed the domains' },
  renameBlog: { scopes: [], args: [anyText], log: ([name]) => `renamed the blog to “${name}”` },
  deleteBlog: { scopes: [], args: [], log: () => 'deleted the blog' },
  exportBlog: { scopes: CONTENT, args: [] },
  listAllPosts: {
    scopes: CONTENT,
    args: [
      record({ status: optional(anyText), search: optional(anyText), order: optional(anyText) }),
      record({ offset: integer, limit: integer }),
    ],
  },
  getAnyPost: { scopes: CONTENT, args: [anyText] },
  createPreviewToken: { scopes: CONTENT, args: [anyText, integer] },
  publishPost: {
    scopes: CONTENT,
    args: [anyText, record({ now: integer, at: optional(integer) })],
    log: changed('published the post'),
  },
  unpublishPost: { scopes: CONTENT, args: [anyText, integer], log: changed('unpublished the post') },
  deletePost: { scopes: CONTENT, args: [anyText, integer], log: changed('deleted the post') },
  exportPost: { scopes: CONTENT, args: [anyText] },
  listKeys: { scopes: [], args: [] },
  addKey: { scopes: [], args: [anyText, integer], log: () => 'added an API key' },
  revokeKeys: { scopes: [], args: [optional(anyText), integer], log: (_, revoked) => `revoked ${revoked} API keys` },
  rotateKey: { scopes: [], args: [anyText, integer], log: () => 'replaced the API keys' },
  listAllAds: { scopes: FIGURES, args: [] },
  putAd: { scopes: ADS, args: [SnapshotAd, optional(SnapshotAd)], log: changed('saved the ad') },
  setAdActive: { scopes: ADS, args: [anyText, flag], log: changed('paused or resumed the ad') },
  deleteAd: { scopes: ADS, args: [anyText, integer], log: changed('deleted the ad') },
  exportAd: { scopes: ADS, args: [anyText] },
  listCampaigns: { scopes: FIGURES, args: [] },
  putCampaign: {
    scopes: ADS,
    args: [SnapshotCampaign, optional(SnapshotCampaign)],
    log: changed('saved the campaign'),
  },
  deleteCampaign: { scopes: ADS, args: [anyText, integer], log: changed('deleted the campaign') },
  exportCampaign: { scopes: ADS, args: [anyText] },
  listBin: { scopes: EVERY, args: [integer] },
  restoreFromBin: {
    scopes: IMAGES,
    args: [record({ kind: choice(['post', 'ad', 'campaign']), id: anyText, deletedAt: integer }), integer],
    log: changed('restored'),
  },
  missingImages: { scopes: IMAGES, args: [list(anyText)] },
  pruneImages: { scopes: CONTENT, args: [] },
  moveMedia: { scopes: CONTENT, args: [anyText, anyText], log: () => 'moved the URLs of images' },
  listHooks: { scopes: [], args: [] },
  addHook: { scopes: [], args: [HOOK, integer], log: changed('added the webhook') },
  rotateHook: { scopes: [], args: [ROTATED_HOOK, integer], log: changed('rotated the secret of the webhook') },
  deleteHook: { scopes: [], args: [anyText], log: changed('deleted the webhook') },
  testHook: { scopes: [], args: [anyText], log: changed('tested the webhook') },
  listHookMessages: { scopes: [], args: [integer] },
  sendHookMessage: {
    scopes: [],
    args: [anyText],
    log: ([id], sent) => (sent ? `sent the webhook message ${id} again` : undefined),
  },
  countsByDay: { scopes: FIGURES, args: [days] },
  countsByCampaign: { scopes: FIGURES, args: [days] },
  countsByTraffic: { scopes: FIGURES, args: [days] },
  countsByPlacement: { scopes: FIGURES, args: [days] },
  missingParts: { scopes: CONTENT, args: [list(anyText)] },
  addImportPart: { scopes: CONTENT, args: [anyText, SnapshotBlog] },
  importParts: {
    scopes: CONTENT,
    args: [
      list(anyText),
      integer,
      record({ prune: optional(flag), keepNames: optional(flag), dryRun: optional(flag) }),
    ],
    log: ([, , options], result) => {
      const [imported] = result as readonly ImportedBlog[];
      const isDryRun = (options as { dryRun?: boolean }).dryRun;
      return isDryRun || !imported ? undefined : `imported ${imported.posts} posts, ${imported.newPosts} of them new`;
    },
  },
} as const satisfies { readonly [Name in keyof (SqlStore & ImportParts)]?: VerbRule };
export type StoreVerb = keyof typeof STORE_VERBS;

/** What `POST /manage/blogs/BLOG/VERB` runs: the arguments after the id of the blog, and the result, are JSON. */
export interface BlogVerbs extends Pick<SqlStore & ImportParts, StoreVerb> {
  /** The blog, if it exists. */
  listBlogs(blogId: string): Promise<readonly BlogRecord[]>;
  /** Stores an image that is sent as base64. */
  addImage(blogId: string, base64: string): Promise<void>;
  createBlog(blogId: string, blog: Omit<Parameters<SqlStore['createBlog']>[0], 'id'>): Promise<void>;
}

/** The steps of a copy, also of the rows of a deployment itself; only the secret of a deployment permits them. */
export interface CopyVerbs {
  /** Takes a snapshot of all rows, and counts the posts. */
  beginCopy(blogId: string): Promise<number>;
  /** Rows of the snapshot from a position on, and the position of the next rows. */
  readCopy(
    blogId: string,
    table: CopyTable,
    from: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly next?: number }>;
  endCopy(blogId: string): Promise<void>;
  /** Removes every row, so that others can be written. */
  clearForCopy(blogId: string): Promise<void>;
  writeCopy(blogId: string, table: CopyTable, rows: readonly Row[]): Promise<void>;
  finishCopy(blogId: string): Promise<void>;
}

export type Verbs = BlogVerbs & CopyVerbs;
export type Verb = keyof Verbs;

/** The rule of each verb of a blog. */
export const BLOG_VERBS: { readonly [Name in keyof BlogVerbs]: VerbRule } = {
  ...STORE_VERBS,
  listBlogs: { scopes: EVERY, args: [] },
  addImage: { scopes: IMAGES, args: [anyText] },
  createBlog: {
    scopes: [],
    args: [record({ name: anyText, domains: list(anyText) })],
    log: () => 'created the blog',
  },
};

/** The names of the steps of a copy. */
export const COPY_VERBS: readonly string[] = [
  'beginCopy',
  'readCopy',
  'endCopy',
  'clearForCopy',
  'writeCopy',
  'finishCopy',
] satisfies readonly (keyof CopyVerbs)[];

/** The part of a server's store that operators use; a remote server has it too. */
export type ManagedStore = Pick<
  SqlStore,
  | Exclude<StoreVerb, keyof ImportParts>
  | 'createBlog'
  | 'findImage'
  | 'putImage'
  | 'exportInParts'
  | 'importBlogs'
  | 'listBlogs'
  | 'close'
>;
