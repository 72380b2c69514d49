import type { Total } from '@broadsheet/management';

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** The headings of {@link seen}. */
export const SEEN = ['VALID', 'VIEWABLE', 'VIEWABLE %'] as const;

/** The valid impressions, and how many of them were viewable; "–" if that was never measured. */
export function seen({ valid, viewable, viewableRate }: Pick<Total, 'valid' | 'viewable' | 'viewableRate'>) {
  return viewableRate === null ? [valid, '–', '–'] : [valid, viewable, percent(viewableRate)];
}

/** The heading of a column of days. */
export const dayHeading = (timeZone: string | undefined): string => (timeZone ? `DAY (${timeZone})` : 'DAY');
