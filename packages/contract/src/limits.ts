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
  /** Seconds a click token lives. */
  clickTokenTtl: 600,
  /** Seconds a preview token lives. */
  previewTokenTtl: 24 * 60 * 60,
  /** Milliseconds in which a second click from the same address on the same ad is not counted. */
  clickDedupWindow: 30 * 60 * 1000,
  /** Bytes. */
  body: 64 * 1024,
} as const;
