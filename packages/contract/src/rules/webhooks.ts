import { tagsOf } from './cache-tags.ts';

// Webhooks follow https://www.standardwebhooks.com: any of its libraries can verify a request.

/**
 * The types of events that a webhook reports. A post is published when readers can see it for the first time or again,
 * and removed when they no longer can. A label is a category or a tag.
 */
export const WEBHOOK_TYPES = [
  'post.published',
  'post.updated',
  'post.removed',
  'label.changed',
  'ads.changed',
] as const;

/** The type of a {@link WebhookEvent}; a `ping` is a test, which reports no change. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number] | 'ping';

/** The fields of every event: the cached reads that are outdated, and the revision of the blog after the change. */
interface Outdated {
  /** The tags of those reads, as `tagsOf` names them. */
  readonly tags: readonly string[];
  /** Changes with every write to the blog. */
  readonly revision: string;
}

/** The body of a webhook: it names what has changed, and contains none of it. */
export type WebhookEvent = { /** When the change was made. */ readonly timestamp: string } & (
  | {
      readonly type: 'post.published' | 'post.updated' | 'post.removed';
      readonly data: Outdated & { readonly id: string; readonly slug: string };
    }
  | { readonly type: 'label.changed'; readonly data: Outdated & { readonly id: string; readonly slug: null } }
  // A change of ads or campaigns may concern any of them; a test concerns nothing.
  | { readonly type: 'ads.changed' | 'ping'; readonly data: Outdated & { readonly id: null; readonly slug: null } }
);

/** The headers of a request: every attempt to deliver an event has the same id, and its own time in seconds. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  /** `v1,` and the HMAC-SHA256 of {@link signedContent} in base64; several signatures are separated by spaces. */
  signature: 'webhook-signature',
} as const;

/** A secret is this prefix and the base64 of the bytes of the key. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Seconds by which the time of a request may differ from the clock of its receiver. */
export const WEBHOOK_TOLERANCE = 5 * 60;

/** The content that a signature covers. `timestamp` is in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number | string, body: string): string =>
  `${id}.${timestamp}.${body}`;

/** A post as its tags need it; `slugs` and `labels` are those before and after the change. */
interface ChangedPost {
  readonly id: string;
  readonly slugs: Iterable<string>;
  readonly categoryIds: Iterable<string>;
  readonly tagIds: Iterable<string>;
}

/** The tags of the reads that a change of a post outdates: the post, every list of posts, and the counts of its labels. */
export function tagsOfPost({ id, slugs, categoryIds, tagIds }: ChangedPost): string[] {
  return unique([
    tagsOf('posts.get', { id }),
    ...[...slugs].map((slug) => tagsOf('posts.getBySlug', { slug })),
    ...[...categoryIds].map((category) => tagsOf('categories.get', { id: category })),
    ...[...tagIds].map((tag) => tagsOf('tags.get', { id: tag })),
  ]);
}

/** The tags of the reads that a change of a label outdates: the label, its list, and every post, as posts embed it. */
export const tagsOfLabel = (kind: 'category' | 'tag', id: string): string[] =>
  unique(
    kind === 'category'
      ? [tagsOf('categories.get', { id }), tagsOf('categories.posts', { id })]
      : [tagsOf('tags.get', { id }), tagsOf('tags.posts', { id })],
  );

const unique = (tags: readonly string[][]): string[] => [...new Set(tags.flat())];
