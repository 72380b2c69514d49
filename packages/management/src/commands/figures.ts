import type { SnapshotCampaign } from '@broadsheet/contract';
import type { Total } from '../figures/totals.ts';

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** The headings of {@link cellsOf}. */
export const COUNTED = ['DELIVERED', 'VALID', 'VIEWABLE', 'VIEWABLE %', 'CLICKS', 'CTR'] as const;

/** The cells of a total; "–" for viewable impressions if they were never measured. */
export function cellsOf({ delivered, valid, viewable, viewableRate, clicks, ctr }: Total) {
  const seen = viewableRate === null ? ['–', '–'] : [viewable, percent(viewableRate)];
  return [delivered, valid, ...seen, clicks, percent(ctr)];
}

/** The heading of a column of days. */
export const dayHeading = (timeZone: string | undefined): string => (timeZone ? `DAY (${timeZone})` : 'DAY');

/** A table of the campaigns that sponsors pay for, and one of house campaigns; none that would be empty. */
export function tablesByKind<Row>(
  rows: readonly Row[],
  kindOf: (row: Row) => SnapshotCampaign['kind'],
  write: (rows: readonly Row[], heading: string) => string,
): readonly string[] {
  const headings = { paid: 'CAMPAIGN', house: 'HOUSE CAMPAIGN' } as const;
  return (['paid', 'house'] as const).flatMap((kind) => {
    const own = rows.filter((row) => kindOf(row) === kind);
    return own.length > 0 ? [write(own, headings[kind])] : [];
  });
}
