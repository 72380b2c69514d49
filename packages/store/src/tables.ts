import type { PostStatus, SnapshotAd } from '@broadsheet/contract';
import type { ImageExtension, Traffic } from '@broadsheet/core';
import { type Generated, sql } from 'kysely';

/** The columns of impressions that are not `valid`, by their traffic. */
export const TRAFFIC_COLUMNS = [
  'unknown_impressions',
  'bot_impressions',
  'prefetch_impressions',
  'foreign_impressions',
  'burst_impressions',
] as const satisfies readonly `${Exclude<Traffic, 'valid'>}_impressions`[];

/** The tables of both databases, as Kysely sees them. Times are ISO 8601 text unless their column says milliseconds. */
export interface Tables {
  schema_version: { version: number };
  secrets: { name: string; value: string };
  blogs: {
    blog_id: string;
    name: string;
    /** JSON array of strings. */
    domains: string;
    revision: string;
    /** A small unique number, from which the row ids of `post_texts` are derived on SQLite. */
    number: number;
  };
  api_keys: { key_hash: string; blog_id: string; created_at: string; revoked_at: string | null };
  labels: {
    blog_id: string;
    kind: LabelKind;
    id: string;
    name: string;
    /** The folded name, by which labels are ordered. */
    sort_name: string;
    description: string;
    created_at: string;
    updated_at: string;
    /** The number of published posts with the label. */
    posts: number;
  };
  posts: {
    blog_id: string;
    id: string;
    title: string;
    subtitle: string;
    slug: string;
    status: PostStatus;
    published_at: string | null;
    scheduled_at: string | null;
    author_id: string;
    cover_url: string | null;
    created_at: string;
    updated_at: string;
    /** The place in the order of posts; see `sortKey`. */
    sort_key: string;
    fold_title: string;
    /** The post as JSON, in the form in which the store returns it. */
    json: string;
  };
  /** The searchable text of published posts; see `searchedText`. */
  post_texts: {
    /** The row id in the search index (SQLite only). */
    row: Generated<number>;
    blog_id: string;
    post_id: string;
    sort_key: string;
    text: string;
  };
  post_labels: {
    blog_id: string;
    kind: LabelKind;
    label_id: string;
    post_id: string;
    /** The sort key of the post while it is published, otherwise `null`. */
    sort_key: string | null;
  };
  ads: AdRow;
  /** Impressions that are not `valid` count in `impressions`, and also in the column of their traffic. */
  ad_counts: {
    blog_id: string;
    day: string;
    ad_id: string;
    impressions: number;
    viewable: number;
    clicks: number;
  } & Record<(typeof TRAFFIC_COLUMNS)[number], number>;
  /** Campaigns as JSON, in the form in which the store returns them. */
  campaigns: { blog_id: string; id: string; json: string };
  /** Excluded impressions do not count in `impressions`. */
  campaign_counts: {
    blog_id: string;
    campaign_id: string;
    day: string;
    impressions: number;
    excluded: number;
    viewable: number;
    clicks: number;
  };
  /** Links to the reports of campaigns; `expires_at` is in milliseconds. */
  report_links: {
    token_hash: string;
    blog_id: string;
    campaign_id: string;
    created_at: string;
    expires_at: number | null;
  };
  /** Deliveries of the last two weeks by hour since the epoch; `place` is the hour modulo two weeks. */
  hour_counts: { blog_id: string; place: number; hour: number; deliveries: number };
  /** The placements that a blog counts separately on a day, numbered in the order in which they arrived. */
  placements: { blog_id: string; day: string; number: number; placement: string };
  /** Slots by placement and ad; `ad_id` is an empty string for slots that stayed empty. */
  placement_counts: {
    blog_id: string;
    day: string;
    placement: string;
    ad_id: string;
    slots: number;
    excluded: number;
    viewable: number;
    clicks: number;
  };
  /** Deliveries with an idempotency key: a hash of the request, and the ads as JSON; `at` is in milliseconds. */
  deliveries: {
    blog_id: string;
    key_hash: string;
    request_hash: string;
    delivery_id: string;
    ads: string;
    excluded: number;
    at: number;
  };
  /** The last counted click of a visitor on an ad, in milliseconds. */
  counted_clicks: { blog_id: string; ad_id: string; visitor: string; at: number };
  /** Used tokens, and when they expire, in milliseconds. */
  used_tokens: { blog_id: string; token_id: string; expires_at: number };
  /** The same for the tokens of impressions that were viewable. */
  viewed_tokens: { blog_id: string; token_id: string; expires_at: number };
  /** The people who may use the panel; without a blog, they see all blogs. */
  people: { name: string; role: 'manage' | 'view'; blog_id: string | null; invited_at: string };
  /** Unused sign-in links; times in milliseconds. */
  invitations: { token_hash: string; name: string; expires_at: number };
  panel_sessions: { token_hash: string; name: string; expires_at: number };
  /** The items that were deleted in the last thirty days, as JSON. */
  recycle_bin: {
    blog_id: string;
    kind: 'post' | 'ad' | 'campaign';
    id: string;
    /** In milliseconds. */
    deleted_at: number;
    title: string;
    json: string;
    cover_url: string | null;
  };
  /** Tokens of `/manage`; without a blog, they are valid for all blogs. Times in milliseconds. */
  management_tokens: {
    token_hash: string;
    name: string;
    scope: 'import' | 'ads' | 'stats' | 'all';
    blog_id: string | null;
    created_at: string;
    expires_at: number | null;
    used_at: number | null;
  };
  /**
   * Content that was uploaded and awaits confirmation: parts of a text by session, or, with a blog in the place of the
   * session, parts of an import through `/manage`.
   */
  uploads: { session_hash: string; name: string; part: number; expires_at: number; content: string };
  /** The receivers of changes. Requests are signed with the secret, so it is stored in plain text; `types` is JSON. */
  webhooks: {
    blog_id: string;
    id: string;
    url: string;
    types: string;
    secret: string;
    /** The secret before the last rotation, and until when it is used, in milliseconds. */
    old_secret: string | null;
    old_until: number | null;
    created_at: string;
    gone_at: string | null;
  };
  /** The outbox: what is sent to webhooks, and the attempts to do so as JSON. */
  webhook_messages: {
    blog_id: string;
    id: string;
    hook_id: string;
    /** Messages about the same subject are sent in the order of `seq`. */
    subject: string;
    seq: number;
    body: string;
    created_at: string;
    /** When the next attempt is due, in milliseconds; `null` when the message was delivered or given up. */
    next_at: number | null;
    attempts: string;
  };
  /** Work that only one process does at a time; see `takeLease`. */
  leases: { name: string; holder: string; beat: number };
  /** Images by the hash of their bytes, in parts; each part also has the extension and size of the whole image. */
  images: {
    blog_id: string;
    hash: string;
    part: number;
    extension: ImageExtension;
    /** The bytes of the whole image. */
    size: number;
    bytes: Uint8Array<ArrayBuffer>;
  };
  /** The log of what people did in the panel. */
  panel_log: { id: string; at: string; who: string; blog_id: string | null; what: string };
}

/** An ad: a column for each field, with the name of the field in snake case. */
export type AdRow = { blog_id: string } & {
  [Name in keyof SnapshotAd as SnakeCase<Name>]-?: SnapshotAd[Name] extends boolean ? number : SnapshotAd[Name];
};

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The column of a field: `link_url` of `linkUrl`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The store treats categories and tags alike, as labels of posts. */
export type LabelKind = 'category' | 'tag';

/** The tables to which events of readers are written, in the order in which they are locked. */
export const EVENT_TABLES = [
  'deliveries',
  'used_tokens',
  'viewed_tokens',
  'counted_clicks',
  'campaign_counts',
  'ad_counts',
  'placements',
  'placement_counts',
  'hour_counts',
] as const satisfies readonly (keyof Tables)[];

/**
 * The columns that identify a row, in the order of an index. Blogs come before their rows, because search derives row
 * ids from the numbers of blogs.
 */
export const PRIMARY_KEYS = {
  secrets: ['name'],
  blogs: ['blog_id'],
  api_keys: ['key_hash'],
  labels: ['blog_id', 'kind', 'id'],
  posts: ['blog_id', 'id'],
  post_texts: ['blog_id', 'post_id'],
  post_labels: ['blog_id', 'kind', 'label_id', 'post_id'],
  ads: ['blog_id', 'id'],
  ad_counts: ['blog_id', 'day', 'ad_id'],
  campaigns: ['blog_id', 'id'],
  campaign_counts: ['blog_id', 'campaign_id', 'day'],
  report_links: ['token_hash'],
  hour_counts: ['blog_id', 'place'],
  placements: ['blog_id', 'day', 'number'],
  placement_counts: ['blog_id', 'day', 'placement', 'ad_id'],
  deliveries: ['blog_id', 'key_hash'],
  counted_clicks: ['blog_id', 'ad_id', 'visitor'],
  used_tokens: ['blog_id', 'token_id'],
  viewed_tokens: ['blog_id', 'token_id'],
  people: ['name'],
  invitations: ['token_hash'],
  panel_sessions: ['token_hash'],
  panel_log: ['id'],
  management_tokens: ['token_hash'],
  recycle_bin: ['blog_id', 'kind', 'id', 'deleted_at'],
  webhooks: ['blog_id', 'id'],
  webhook_messages: ['blog_id', 'id'],
  images: ['blog_id', 'hash', 'part'],
} as const satisfies Record<Exclude<keyof Tables, 'schema_version' | 'uploads' | 'leases'>, readonly string[]>;

/** Every table that holds rows of blogs. */
export const BLOG_TABLES = (Object.keys(PRIMARY_KEYS) as (keyof typeof PRIMARY_KEYS)[]).filter(
  (table) => table !== 'secrets' && table !== 'invitations' && table !== 'panel_sessions',
);

/** Makes an upsert set these columns to the values of the row that could not be inserted. */
export const excluded = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
