import type { Total } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';
import { numberColumn } from '../layout/table.tsx';

/** The click-through rate; negative without impressions, see `Numbers.rate`. */
export const ctrOf = ({ valid, ctr }: Total): number => (valid > 0 ? ctr : -1);

/** The viewable rate; negative without impressions, or if none was ever reported as viewable. */
export const viewableRateOf = ({ valid, viewableRate }: Total): number => (valid > 0 ? (viewableRate ?? -1) : -1);

/** The columns of figures; “–” stands for what was not measured. */
export function figureColumns<Row extends Total>() {
  const { count, rate } = currentNumbers();
  const viewable = ({ viewable, viewableRate }: Row) => (viewableRate === null ? -1 : viewable);
  return {
    valid: numberColumn<Row>('Valid impressions', ({ valid }) => valid, { key: 'impressions' }),
    delivered: numberColumn<Row>('Delivered', ({ delivered }) => delivered, { spare: true }),
    viewable: numberColumn<Row>('Viewable', viewable, { write: (value) => (value < 0 ? '–' : count(value)) }),
    rate: numberColumn<Row>('Viewable rate', viewableRateOf, { key: 'rate', write: rate, spare: true }),
    clicks: numberColumn<Row>('Clicks', ({ clicks }) => clicks),
    ctr: numberColumn<Row>('CTR', ctrOf, { write: rate }),
  };
}
