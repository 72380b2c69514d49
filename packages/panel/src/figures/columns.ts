import type { Excluded, Total } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';
import { numberColumn } from '../layout/table.tsx';

/** The click-through rate; negative without impressions, see `Numbers.rate`. */
export const ctrOf = ({ valid, ctr }: Total): number => (valid > 0 ? ctr : -1);

/** The viewable rate; negative without impressions, or if none was ever reported as viewable. */
export const viewableRateOf = ({ valid, viewableRate }: Total): number => (valid > 0 ? (viewableRate ?? -1) : -1);

/** The columns of figures; “–” means that a value was not measured. */
export function figureColumns<Row extends Total>() {
  const { countIfKnown, rate } = currentNumbers();
  const viewable = ({ viewable, viewableRate }: Row) => (viewableRate === null ? -1 : viewable);
  return {
    valid: numberColumn<Row>('Valid impressions', ({ valid }) => valid, { key: 'impressions' }),
    delivered: numberColumn<Row>('Delivered', ({ delivered }) => delivered, { spare: true }),
    viewable: numberColumn<Row>('Viewable', viewable, { write: countIfKnown, spare: true }),
    rate: numberColumn<Row>('Viewable rate', viewableRateOf, { key: 'rate', write: rate, spare: true }),
    clicks: numberColumn<Row>('Clicks', ({ clicks }) => clicks),
    ctr: numberColumn<Row>('CTR', ctrOf, { write: rate }),
  };
}

/** Why impressions were not counted, after their number. */
const REASONS: Readonly<Record<string, string>> = {
  bot: 'to crawlers and tools',
  prefetch: 'to pages that a browser loaded in advance',
  foreign: 'to pages on other sites',
  burst: 'to visitors with more than 60 requests in a minute',
};

/** How many impressions were not counted, and why: `7 to crawlers and tools, 2 to pages on other sites`. */
export function notCounted(excluded: readonly Excluded[]): { readonly count: number; readonly reasons: string } {
  const { count } = currentNumbers();
  return {
    count: excluded.reduce((sum, { impressions }) => sum + impressions, 0),
    reasons: excluded.map(({ reason, impressions }) => `${count(impressions)} ${REASONS[reason]}`).join(', '),
  };
}
