import type { AdFormat, PostStatus } from '@broadsheet/contract';
import type { ImageExtension, Traffic } from '@broadsheet/core';

/** A column in both databases. */
export interface Column<Value = unknown> {
  readonly type: 'text' | 'bigint' | 'blob';
  readonly isNullable?: true;
  /** Whether it is in the primary key, whose columns are in the order of its index. */
  readonly isKey?: true;
  readonly default?: 0;
  /** Exists only for the compiler. */
  readonly types?: { readonly value: Value };
}

const text = <Value extends string = string>(): Column<Value> => ({ type: 'text' });
const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, isNullable: true });
const key = <Value>(column: Column<Value>): Column<Value> => ({ ...column, isKey: true });
const TEXT = text();
const KEY = key(TEXT);
const TEXT_OR_NULL = orNull(TEXT);
const NUMBER: Column<number> = { type: 'bigint' };
const NUMBER_KEY = key(NUMBER);
const NUMBER_OR_NULL = orNull(NUMBER);
const COUNT: Column<number> = { type: 'bigint', default: 0 };

/**
 * The tables of both databases. Times are ISO 8601 text unless their column says milliseconds.
 */
export const TABLES = {
  secrets: { name: KEY, value: TEXT },
  blogs: {
    blog_id: KEY,
    name: TEXT,
    /** JSON array of strings. */
    domains: TEXT,
    time_zone: TEXT_OR_NULL,
    /** JSON. */
    publisher: TEXT_OR_NULL,
    revision: TEXT,
  },
  api_keys: {
    key_hash: KEY,
    blog_id: TEXT,
    created_at: TEXT,
    revoked_at: TEXT_OR_NULL,
    label: TEXT_OR_NULL,
    /** Its first characters; see `startOfKey`. */
    start: TEXT_OR_NULL,
    /** When it was last used, to the hour, in milliseconds. */
    used_at: NUMBER_OR_NULL,
  },
  labels: {
    blog_id: KEY,
    kind: key(text<LabelKind>()),
    id: KEY,
    name: TEXT,
    /** The folded name, by which labels are ordered. */
    sort_name: TEXT,
    description: TEXT,
    created_at: TEXT,
    updated_at: TEXT,
    /** The number of published posts with the label. */
    posts: NUMBER,
  },
  posts: {
    blog_id: KEY,
    id: KEY,
    title: TEXT,
    subtitle: TEXT,
    slug: TEXT,
    status: text<PostStatus>(),
    published_at: TEXT_OR_NULL,
    scheduled_at: TEXT_OR_NULL,
    author_id: TEXT,
    cover_url: TEXT_OR_NULL,
    created_at: TEXT,
    updated_at: TEXT,
    /** The place in the order of posts; see `sortKey`. */
    sort_key: TEXT,
    fold_title: TEXT,
    /** The folded slug, if it differs from the slug. */
    fold_slug: TEXT_OR_NULL,
    /** The post as JSON, in the form in which the store returns it. */
    json: TEXT,
  },
  /** The searchable text of published posts; see `searchedText`. Each database creates it with its search index. */
  post_texts: {
    /** The row id in the search index (SQLite only). */
    row: NUMBER,
    blog_id: KEY,
    post_id: KEY,
    sort_key: TEXT,
    text: TEXT,
  },
  post_labels: {
    blog_id: KEY,
    kind: key(text<LabelKind>()),
    label_id: KEY,
    post_id: KEY,
    /** The sort key of the post while it is published, otherwise `null`. */
    sort_key: TEXT_OR_NULL,
  },
  /** A column for each field of an ad, with the name of the field in snake case. */
  ads: {
    blog_id: KEY,
    id: KEY,
    format: text<AdFormat>(),
    priority: NUMBER,
    active: NUMBER,
    starts_at: TEXT_OR_NULL,
    ends_at: TEXT_OR_NULL,
    image_url: TEXT_OR_NULL,
    link_url: TEXT_OR_NULL,
    title: TEXT_OR_NULL,
    content: TEXT_OR_NULL,
    link_text: TEXT_OR_NULL,
    campaign_id: TEXT_OR_NULL,
    name: TEXT_OR_NULL,
    created_at: TEXT_OR_NULL,
  },
  /**
   * Deliveries, views and clicks. `ad_id` is empty for slots that stayed empty, `campaign_id` for ads without a
   * campaign, and `placement` for single deliveries.
   */
  counts: {
    blog_id: KEY,
    day: KEY,
    ad_id: KEY,
    campaign_id: KEY,
    placement: KEY,
    traffic: key(text<Traffic>()),
    delivered: COUNT,
    viewable: COUNT,
    clicks: COUNT,
  },
  /**
   * Campaigns as JSON, in the form in which the store returns them; `plan` is the `Plan` of the last delivery as JSON, if
   * the campaign has one. `is_ended` is 1 if the campaign has reached its goal, until it is edited.
   */
  campaigns: { blog_id: KEY, id: KEY, json: TEXT, plan: TEXT_OR_NULL, is_ended: COUNT },
  /**
   * The format and the title that an ad had for a campaign when it left it, deleted or moved to another one: reports for
   * sponsors show these. The row of an ad that comes back is not used.
   */
  campaign_ads: { blog_id: KEY, campaign_id: KEY, ad_id: KEY, format: text<AdFormat>(), title: TEXT },
  /**
   * The counts towards the goal and the cap of a campaign: the rows by which a delivery is admitted. The row with an empty
   * day has the sums of all days.
   */
  campaign_counts: { blog_id: KEY, campaign_id: KEY, day: KEY, impressions: COUNT, clicks: COUNT },
  /** Links to the reports of campaigns; `expires_at` is in milliseconds. */
  report_links: {
    token_hash: KEY,
    blog_id: TEXT,
    campaign_id: TEXT,
    created_at: TEXT,
    expires_at: NUMBER_OR_NULL,
    /** Whether the report says how far the campaign is ahead or behind: 1 or 0. */
    shows_pace: COUNT,
  },
  /** Deliveries of the last two weeks by hour since the epoch; `place` is the hour modulo two weeks. */
  hour_counts: { blog_id: KEY, place: NUMBER_KEY, hour: NUMBER, deliveries: NUMBER },
  /** The placements that a blog counts separately on a day, numbered in the order in which they arrived. */
  placements: { blog_id: KEY, day: KEY, number: NUMBER_KEY, placement: TEXT },
  /**
   * Deliveries with an idempotency key: a hash of the request, the ads and their campaigns as JSON, and the keys under
   * which they were counted; `at` is in milliseconds.
   */
  deliveries: {
    blog_id: KEY,
    key_hash: KEY,
    request_hash: TEXT,
    delivery_id: TEXT,
    ads: TEXT,
    day: TEXT,
    traffic: text<Traffic>(),
    at: NUMBER,
  },
  /** The last counted click of a visitor on an ad, in milliseconds. */
  counted_clicks: { blog_id: KEY, ad_id: KEY, visitor: KEY, at: NUMBER },
  /** Used tokens, and when they expire, in milliseconds. */
  used_tokens: { blog_id: KEY, token_id: KEY, expires_at: NUMBER },
  /** The same for the tokens of impressions that were viewable. */
  viewed_tokens: { blog_id: KEY, token_id: KEY, expires_at: NUMBER },
  /** The people who may use the panel; without a blog, they see all blogs. */
  people: { name: KEY, role: text<'manage' | 'view'>(), blog_id: TEXT_OR_NULL, invited_at: TEXT },
  /** Unused sign-in links, with the rights of those who use them; times in milliseconds. */
  invitations: {
    token_hash: KEY,
    name: TEXT,
    role: text<'manage' | 'view'>(),
    blog_id: TEXT_OR_NULL,
    expires_at: NUMBER,
  },
  panel_sessions: { token_hash: KEY, name: TEXT, expires_at: NUMBER },
  /** The log of what people did in the panel. */
  panel_log: {
    id: KEY,
    at: TEXT,
    who: TEXT,
    blog_id: TEXT_OR_NULL,
    what: TEXT,
    /** The folded `who` and `what`, in which a search looks. */
    fold_text: TEXT,
  },
  /** Tokens of `/manage`; without a blog, they are valid for all blogs. Times in milliseconds. */
  management_tokens: {
    token_hash: KEY,
    name: TEXT,
    scope: text<'import' | 'ads' | 'stats' | 'all'>(),
    blog_id: TEXT_OR_NULL,
    created_at: TEXT,
    expires_at: NUMBER_OR_NULL,
    used_at: NUMBER_OR_NULL,
  },
  /**
   * Content that was uploaded and awaits confirmation: parts of a text by session, or, with a blog in the place of the
   * session, parts of an import through `/manage`. With a request in its place, that request and its encrypted result;
   * see `createReceipts`.
   */
  uploads: { session_hash: KEY, name: KEY, part: NUMBER_KEY, expires_at: NUMBER, content: TEXT },
  /** The items that were deleted in the last thirty days, as JSON; `deleted_at` is in milliseconds. */
  recycle_bin: {
    blog_id: KEY,
    kind: key(text<'post' | 'ad' | 'campaign'>()),
    id: KEY,
    deleted_at: NUMBER_KEY,
    title: TEXT,
    json: TEXT,
    cover_url: TEXT_OR_NULL,
  },
  /** The receivers of changes. Requests are signed with the secret, so it is stored in plain text; `types` is JSON. */
  webhooks: {
    blog_id: KEY,
    id: KEY,
    url: TEXT,
    types: TEXT,
    secret: TEXT,
    /** The secrets before the latest rotations, and until when they are used, as JSON. */
    old_secrets: TEXT_OR_NULL,
    created_at: TEXT,
    gone_at: TEXT_OR_NULL,
    /** When the latest successful request began, in milliseconds. */
    succeeded_at: NUMBER_OR_NULL,
  },
  /** The outbox: the messages to webhooks, and the attempts to send them as JSON. */
  webhook_messages: {
    blog_id: KEY,
    id: KEY,
    hook_id: TEXT,
    /** If several messages have the same subject, only the one with the highest `seq` is sent. */
    subject: TEXT,
    seq: NUMBER,
    body: TEXT,
    created_at: TEXT,
    /** When the next attempt is due, in milliseconds; `null` when the message was delivered or given up. */
    next_at: NUMBER_OR_NULL,
    attempts: TEXT,
    /** When the first attempt began, in milliseconds. */
    tried_at: NUMBER_OR_NULL,
  },
  /** Leases for work that only one process does at a time; see `takeLease`. */
  leases: { name: KEY, holder: TEXT, beat: NUMBER },
  /** Images by the hash of their bytes, in parts; each part also has the extension and size of the whole image. */
  images: {
    blog_id: KEY,
    hash: KEY,
    part: NUMBER_KEY,
    extension: text<ImageExtension>(),
    /** The bytes of the whole image. */
    size: NUMBER,
    bytes: { type: 'blob' } as Column<Uint8Array<ArrayBuffer>>,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Column>>>>;

export type TableName = keyof typeof TABLES;

type ValueOf<C> = C extends Column<infer Value> ? Value : never;

/** The rows of each table. */
export type Tables = {
  [Name in TableName]: {
    -readonly [Column in keyof (typeof TABLES)[Name]]: ValueOf<(typeof TABLES)[Name][Column]>;
  };
};

/** To the store, categories and tags are both labels of posts. */
export type LabelKind = 'category' | 'tag';

/** The tables to which events of readers are written, in the order in which they are locked. */
export const EVENT_TABLES = [
  'deliveries',
  'used_tokens',
  'viewed_tokens',
  'counted_clicks',
  'campaign_counts',
  'placements',
  'counts',
  'hour_counts',
] as const satisfies readonly TableName[];

/** The tables that are read in the order of their primary keys, and have small rows. */
export const CLUSTERED: ReadonlySet<TableName> = new Set(['counts', 'campaign_counts', 'hour_counts']);

/** The columns that identify a row of a table, in the order of an index. */
export const primaryKey = (name: TableName): string[] =>
  Object.entries<Column>(TABLES[name]).flatMap(([column, { isKey }]) => (isKey ? [column] : []));

/** The columns that identify a row of a table among those of its blog. */
export const keyInBlog = (name: TableName): string[] => primaryKey(name).filter((column) => column !== 'blog_id');

/** Every table that holds rows of blogs. */
export const BLOG_TABLES = (Object.keys(TABLES) as TableName[]).filter((name) => 'blog_id' in TABLES[name]);
