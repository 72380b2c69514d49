import {
  address,
  choice,
  flag,
  instant,
  isDomain,
  list,
  nullable,
  optional,
  type Rule,
  record,
  SnapshotAd,
  SnapshotBlog,
  SnapshotCampaign,
  text,
  WEBHOOK_TYPES,
  zone,
} from '@broadsheet/contract';
import {
  type BlogRecord,
  type CopyTable,
  type ImportedBlog,
  PLAIN_TABLES,
  type Row,
  type SqlStore,
} from '@broadsheet/store';
import { SCOPES, type Scope, type TokenStore } from '../tokens/tokens.ts';
import { wrongSecret, wrongUrl } from '../webhooks/wrong-hook.ts';
import { isBase64 } from './base64.ts';
import type { ImportParts } from './import-parts.ts';

/** A verb of `/manage`: who may use it, what it takes, and what the log says about it. */
interface VerbRule {
  /** The scopes that permit it, besides `all`. */
  readonly scopes: readonly Scope[];
  /** The arguments after the id of the blog. */
  readonly args: readonly Rule[];
  /** A problem that the rules of the arguments cannot express. */
  readonly check?: (...args: never[]) => string | undefined;
  /** The change as a sentence without a subject; `undefined` if nothing was changed. */
  readonly log?: (args: readonly unknown[], result: unknown) => string | undefined;
}

const anyText = text();
/** A name, an id, or a text to search for. PostgreSQL limits what an index can hold to 2,704 bytes. */
const short = text({ max: 500 });
const upTo = (max: number): Rule<number> => ({ kind: 'integer', min: 0, max });
/** Milliseconds since the epoch, until the year 9999. */
const time = upTo(253_402_300_799_999);
const count = upTo(999_999_999);
const days = optional(record({ from: optional(short), to: optional(short) }));
const CONTENT = ['import'] as const;
const ADS = ['ads'] as const;
const HOOK = record({
  id: short,
  url: address(['https', 'http']),
  types: list(choice(WEBHOOK_TYPES)),
  secret: short,
});
const ROTATED_HOOK = record({ id: short, secret: short });
const TOKEN = record({
  name: short,
  scope: choice(SCOPES),
  blogId: nullable(short),
  createdAt: instant,
  expiresAt: nullable(instant),
});
const TABLE = choice([...PLAIN_TABLES, 'posts']);
/** Rows of a copy, whose columns the database checks; bytes are base64. */
export const ROWS = list(record({ bytes: optional(anyText) }));
const IMAGES = ['import', 'ads'] as const;
const FIGURES = ['ads', 'stats'] as const;
const EVERY = ['import', 'ads', 'stats'] as const;

/** Logs a change of the item that the first argument names or contains, if there was one. */
const changed =
  (what: string) =>
  ([item]: readonly unknown[], result: unknown): string | undefined =>
    result ? `${what} ${typeof item === 'string' ? item : String((item as { id?: unknown }).id)}` : undefined;

const wrongDomains = (domains: readonly string[]): string | undefined => {
  const wrong = domains.find((domain) => !isDomain(domain));
  return wrong === undefined ? undefined : `Argument 1: ${JSON.stringify(wrong)} is not a domain`;
};
const wrongHook = ({ url, secret }: { readonly url?: string; readonly secret: string }): string | undefined => {
  const problem = wrongSecret(secret) ?? (url === undefined ? undefined : wrongUrl(url));
  return problem === undefined ? undefined : `Argument 1: ${problem.at}: ${problem.message}`;
};

/** Methods of the store that are verbs under the same name; each takes the id of the blog first. */
export const STORE_VERBS = {
  setDomains: {
    scopes: [],
    args: [list(short), optional(list(anyText))],
    check: wrongDomains,
    log: () => 'changed the domains',
  },
  renameBlog: { scopes: [], args: [short], log: ([name]) => `renamed the blog to “${name}”` },
  setTimeZone: { scopes: [], args: [zone], log: ([timeZone]) => `set the time zone to ${timeZone}` },
  deleteBlog: { scopes: [], args: [], log: () => 'deleted the blog' },
  exportBlog: { scopes: CONTENT, args: [] },
  listAllPosts: {
    scopes: CONTENT,
    args: [
      record({ status: optional(short), search: optional(short), order: optional(short) }),
      record({ offset: count, limit: count }),
    ],
  },
  getAnyPost: { scopes: CONTENT, args: [short] },
  createPreviewToken: { scopes: CONTENT, args: [short, time] },
  publishPost: {
    scopes: CONTENT,
    args: [short, record({ now: time, at: optional(time) })],
    log: changed('published the post'),
  },
  unpublishPost: { scopes: CONTENT, args: [short, time], log: changed('unpublished the post') },
  deletePost: { scopes: CONTENT, args: [short, time], log: changed('deleted the post') },
  exportPost: { scopes: CONTENT, args: [short] },
  listKeys: { scopes: [], args: [] },
  addKey: { scopes: [], args: [short, time], log: () => 'added an API key' },
  revokeKeys: { scopes: [], args: [optional(short), time], log: (_, revoked) => `revoked ${revoked} API keys` },
  rotateKey: { scopes: [], args: [short, time], log: () => 'replaced the API keys' },
  listAllAds: { scopes: FIGURES, args: [] },
  putAd: { scopes: ADS, args: [SnapshotAd, optional(SnapshotAd)], log: changed('saved the ad') },
  setAdActive: { scopes: ADS, args: [short, flag], log: changed('paused or resumed the ad') },
  deleteAd: { scopes: ADS, args: [short, time], log: changed('deleted the ad') },
  exportAd: { scopes: ADS, args: [short] },
  listCampaigns: { scopes: FIGURES, args: [] },
  putCampaign: {
    scopes: ADS,
    args: [SnapshotCampaign, optional(SnapshotCampaign)],
    log: changed('saved the campaign'),
  },
  deleteCampaign: { scopes: ADS, args: [short, time], log: changed('deleted the campaign') },
  exportCampaign: { scopes: ADS, args: [short] },
  listBin: { scopes: EVERY, args: [time] },
  restoreFromBin: {
    scopes: IMAGES,
    args: [record({ kind: choice(['post', 'ad', 'campaign']), id: short, deletedAt: time }), time],
    log: changed('restored'),
  },
  missingImages: { scopes: IMAGES, args: [list(short)] },
  pruneImages: { scopes: CONTENT, args: [] },
  moveMedia: {
    scopes: CONTENT,
    args: [short, short],
    check: (...urls: string[]) =>
      urls.every((url) => /^https?:\/\/[^?#\s"\\]+$/.test(url))
        ? undefined
        : 'expected the http(s) URLs of two servers',
    log: () => 'moved the URLs of images',
  },
  listHooks: { scopes: [], args: [] },
  addHook: {
    scopes: [],
    args: [HOOK, time],
    check: wrongHook,
    log: changed('added the webhook'),
  },
  rotateHook: {
    scopes: [],
    args: [ROTATED_HOOK, time],
    check: wrongHook,
    log: changed('rotated the secret of the webhook'),
  },
  deleteHook: { scopes: [], args: [short], log: changed('deleted the webhook') },
  testHook: { scopes: [], args: [short], log: changed('tested the webhook') },
  listHookMessages: { scopes: [], args: [count] },
  sendHookMessage: {
    scopes: [],
    args: [short],
    log: ([id], sent) => (sent ? `sent the webhook message ${id} again` : undefined),
  },
  countsByDay: { scopes: FIGURES, args: [days] },
  countsByCampaign: { scopes: FIGURES, args: [days] },
  countsByTraffic: { scopes: FIGURES, args: [days] },
  countsByPlacement: { scopes: FIGURES, args: [days] },
  missingParts: { scopes: CONTENT, args: [list(short)] },
  addImportPart: { scopes: CONTENT, args: [short, SnapshotBlog] },
  importParts: {
    scopes: CONTENT,
    args: [list(short), time, record({ prune: optional(flag), keepNames: optional(flag), dryRun: optional(flag) })],
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

/** The tokens belong to a deployment rather than to a blog; only its secret permits these verbs. */
export interface TokenVerbs {
  listTokens(blogId: string): ReturnType<TokenStore['listTokens']>;
  createToken(blogId: string, ...record: Parameters<TokenStore['createToken']>): Promise<boolean>;
  revokeToken(blogId: string, name: string): ReturnType<TokenStore['revokeToken']>;
}

export type Verbs = BlogVerbs & CopyVerbs & TokenVerbs;
export type Verb = keyof Verbs;

/** The rule of each verb of a blog. */
export const BLOG_VERBS: { readonly [Name in keyof BlogVerbs]: VerbRule } = {
  ...STORE_VERBS,
  listBlogs: { scopes: EVERY, args: [] },
  addImage: {
    scopes: IMAGES,
    args: [anyText],
    check: (image: string) => (isBase64(image) ? undefined : 'Argument 1: image: must be base64'),
  },
  createBlog: {
    scopes: [],
    args: [record({ name: short, domains: list(short) })],
    check: ({ domains }: { readonly domains: readonly string[] }) => wrongDomains(domains),
    log: () => 'created the blog',
  },
};

/** The rules of the steps of a copy. */
export const COPY_VERBS: { readonly [Name in keyof CopyVerbs]: VerbRule } = {
  beginCopy: { scopes: [], args: [] },
  readCopy: { scopes: [], args: [TABLE, count] },
  endCopy: { scopes: [], args: [] },
  clearForCopy: { scopes: [], args: [] },
  writeCopy: { scopes: [], args: [TABLE, ROWS], check: wrongRows },
  finishCopy: { scopes: [], args: [] },
};

function wrongRows(_: CopyTable, rows: readonly Row[]): string | undefined {
  const wrong = rows.findIndex(({ bytes }) => typeof bytes === 'string' && !isBase64(bytes));
  return wrong === -1 ? undefined : `Argument 2: ${wrong}.bytes: must be base64`;
}

/** The rules of the verbs of tokens. */
export const TOKEN_VERBS: { readonly [Name in keyof TokenVerbs]: VerbRule } = {
  listTokens: { scopes: [], args: [] },
  createToken: { scopes: [], args: [TOKEN, short] },
  revokeToken: { scopes: [], args: [short] },
};

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
> &
  Pick<TokenStore, keyof TokenVerbs>;
