/** The places an ad can be made for (api.md 2). */
export const AD_FORMATS = ['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE'] as const;
export type AdFormat = (typeof AD_FORMATS)[number];
