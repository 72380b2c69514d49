/** Every number the API promises (api.md 8, with the bounds the document leaves open). */
export const LIMITS = {
  posts: { limit: { min: 1, max: 100, default: 10 } },
  search: {
    limit: { min: 1, max: 50, default: 10 },
    /** Unicode code points of the trimmed and collapsed term. */
    q: { min: 3, max: 200 },
  },
  offset: { min: 0, default: 0 },
  page: { min: 1, default: 1 },
  pageSize: { min: 1, max: 100, default: 10 },
  slots: { min: 1, max: 20 },
  /** Unicode code points. */
  slotId: { min: 1, max: 200 },
  /** The maximum number of slot ids under which a blog counts on one day. Later ones are counted together. */
  placements: 200,
  /** Characters of an idempotency key. */
  idempotencyKey: { min: 16, max: 64 },
  /** Milliseconds in which a delivery with the same idempotency key is a replay. */
  idempotencyWindow: 10 * 60 * 1000,
  /** Seconds for which a click token is valid. */
  clickTokenTtl: 600,
  /** Seconds for which a preview token is valid. */
  previewTokenTtl: 24 * 60 * 60,
  /** Milliseconds in which a second click from the same IP address on the same ad is not counted. */
  clickDedupWindow: 30 * 60 * 1000,
  /** Bytes. */
  body: 64 * 1024,
  /** Unicode code points of a name, a title or another text of one line, a longer text, the title of an ad, and a URL. */
  name: { max: 200 },
  line: { max: 1000 },
  paragraph: { max: 10_000 },
  adTitle: { max: 120 },
  url: { max: 2000 },
  /** Unicode code points of the text of a post, and of the URL of an image, which may be a `data:` URL. */
  content: { max: 20_000_000 },
  imageUrl: { max: 2_000_000 },
  /** The maximum number of items of one blog, so that it does not use up shared resources. */
  ads: { max: 10_000 },
  campaigns: { max: 1000 },
  /** Keys of a blog that are not revoked. */
  keys: { max: 100 },
  /** The placements that a campaign names. */
  campaignPlacements: { max: 50 },
  domains: { max: 100 },
  images: { max: 20_000 },
  /** Categories, and tags. */
  labels: { max: 10_000 },
  /** Bytes in UTF-8 of an id or a slug: PostgreSQL can index 2,704 bytes, and some keys contain three ids. */
  id: { min: 1, max: 500 },
} as const;
