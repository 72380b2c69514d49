import { LIMITS } from '../limits.ts';
import { AD_FORMATS, CAMPAIGN_KINDS, CAMPAIGN_PACES, POST_STATUSES } from './enums.ts';
import {
  address,
  amount,
  choice,
  fallback,
  flag,
  guid,
  type InputOf,
  id,
  integer,
  line,
  list,
  name,
  nullable,
  type OutputOf,
  optional,
  paragraph,
  place,
  strictRecord,
  text,
  timestamp,
  zone,
} from './rule.ts';

const short = text({ min: 1, max: 500 });
const moment = nullable(timestamp);

/** A category as a snapshot holds it. */
export const SnapshotCategory = strictRecord({
  id,
  name,
  description: fallback(paragraph, ''),
  createdAt: optional(timestamp),
  updatedAt: optional(timestamp),
});

/** A tag as a snapshot holds it. */
export const SnapshotTag = strictRecord({
  id,
  name,
  createdAt: optional(timestamp),
  updatedAt: optional(timestamp),
});

export const POST_FIELDS = {
  id,
  title: line,
  subtitle: fallback(line, ''),
  content: fallback(text(LIMITS.content), ''),
  slug: id,
  status: fallback(choice(POST_STATUSES), 'PUBLISHED'),
  publishedAt: fallback(moment, null),
  scheduledAt: fallback(moment, null),
  authorId: fallback(line, ''),
  coverUrl: fallback(nullable(text(LIMITS.imageUrl)), null),
  createdAt: optional(timestamp),
  updatedAt: optional(timestamp),
  categoryIds: fallback(list(id), []),
  tagIds: fallback(list(id), []),
};
/** A post as a snapshot holds it, drafts and scheduled posts included. */
export const SnapshotPost = strictRecord(POST_FIELDS);

/** An ad as a snapshot holds it. */
export const SnapshotAd = strictRecord({
  id: guid,
  format: choice(AD_FORMATS),
  priority: fallback(integer, 0),
  active: fallback(flag, true),
  startsAt: fallback(moment, null),
  endsAt: fallback(moment, null),
  imageUrl: fallback(nullable(address(['https', 'http', 'data'], LIMITS.imageUrl)), null),
  linkUrl: fallback(nullable(address(['https', 'http'], LIMITS.url)), null),
  title: fallback(nullable(text(LIMITS.adTitle)), null),
  content: fallback(nullable(paragraph), null),
  linkText: fallback(nullable(name), null),
  campaignId: optional(id),
  /** The publisher's name for it, which readers do not get. */
  name: optional(name),
  createdAt: optional(timestamp),
});

/** The fields of an ad that readers get, besides its id (api.md 2, AdDeliveryResult). */
export const AD_TEXTS = ['imageUrl', 'linkUrl', 'title', 'content', 'linkText'] as const;

/**
 * A campaign as a snapshot holds it: ads that a sponsor has bought, or the blog's own ads. Its ads name it by
 * `campaignId`.
 */
export const SnapshotCampaign = strictRecord({
  id,
  sponsor: name,
  name,
  kind: fallback(choice(CAMPAIGN_KINDS), 'paid'),
  startsAt: fallback(moment, null),
  endsAt: fallback(moment, null),
  goal: fallback(nullable(strictRecord({ impressions: optional(amount), clicks: optional(amount) })), null),
  perDay: fallback(nullable(amount), null),
  pace: fallback(choice(CAMPAIGN_PACES), 'even'),
  /** Whether none of its ads is delivered. */
  paused: optional(flag),
  /** The ids of the slots that get its ads, such as `top` or `letterpress-*`; by default every delivery does. */
  placements: optional(list(place, LIMITS.campaignPlacements)),
});

/** How sponsors recognise and reach the publisher of a blog: its logo, and an e-mail address or a telephone number. */
export const Publisher = strictRecord({
  logoUrl: optional(address(['https', 'http', 'data'], LIMITS.imageUrl)),
  contact: optional(short),
});

export const BLOG_FIELDS = {
  id,
  name,
  domains: fallback(list(short, LIMITS.domains), []),
  /** The time zone of its days, in figures and in the dates of ads; UTC by default. */
  timeZone: optional(zone),
  /** The details that reports for sponsors show beside its name. */
  publisher: optional(Publisher),
  apiKeys: fallback(list(short, LIMITS.keys), []),
  categories: fallback(list(SnapshotCategory), []),
  tags: fallback(list(SnapshotTag), []),
  posts: fallback(list(SnapshotPost), []),
  campaigns: fallback(list(SnapshotCampaign), []),
  ads: fallback(list(SnapshotAd), []),
};
/** One blog with everything in it. */
export const SnapshotBlog = strictRecord(BLOG_FIELDS);

/** Blogs as one file: what `broadsheet import` takes and `broadsheet export` gives. */
export const Snapshot = strictRecord({ blogs: list(SnapshotBlog) });

export type Snapshot = OutputOf<typeof Snapshot>;
/** A snapshot as it may be written, without the fields that have a default. */
export type SnapshotInput = InputOf<typeof Snapshot>;
export type SnapshotBlog = OutputOf<typeof SnapshotBlog>;
export type SnapshotBlogInput = InputOf<typeof SnapshotBlog>;
export type SnapshotPost = OutputOf<typeof SnapshotPost>;
export type Publisher = OutputOf<typeof Publisher>;
export type SnapshotCategory = OutputOf<typeof SnapshotCategory>;
export type SnapshotTag = OutputOf<typeof SnapshotTag>;
export type SnapshotAd = OutputOf<typeof SnapshotAd>;
export type SnapshotCampaign = OutputOf<typeof SnapshotCampaign>;
