/** The formats of ads (api.md 2). */
export const AD_FORMATS = ['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE'] as const;
/** One of the {@link AD_FORMATS}. */
export type AdFormat = (typeof AD_FORMATS)[number];

/** Whether a sponsor pays for a campaign, or the campaign fills the remaining slots with the blog's own ads. */
export const CAMPAIGN_KINDS = ['paid', 'house'] as const;
/** How a campaign reaches its goal: evenly over its whole time, or as fast as it can. */
export const CAMPAIGN_PACES = ['even', 'fast'] as const;

/** The states of a post; public responses only contain `PUBLISHED` (api.md 3). */
export const POST_STATUSES = ['PUBLISHED', 'DRAFT', 'SCHEDULED'] as const;
