import type { CampaignFigures, Total } from '@broadsheet/management';
import type { Numbers } from '../figures/numbers.ts';
import { type Column, numberColumn } from '../layout/table.tsx';

/** Relative deviations below this are not shown. */
const SMALL = 0.01;

/** Why a campaign does not deliver, or when it ends and, with its pace, how far it is ahead of or behind its plan. */
export function outlookOf(figures: CampaignFigures, numbers: Numbers, now: number, showsPace = true): string {
  const { campaign, state, expectedAt, ahead = 0 } = figures;
  const { startsAt, endsAt } = campaign;
  const day = (at: string) => numbers.dayOfMonth(at, now);
  if (state === 'deleted') return '';
  if (state === 'reached') return 'goal reached';
  if (state === 'empty') return 'has no ad to deliver';
  if (state === 'waiting' && startsAt !== null) return `starts on ${day(startsAt)}`;
  if (state === 'ended' && endsAt !== null) return `ended on ${day(endsAt)}`;
  const end = expectedAt ? `ends about ${day(expectedAt)}` : endsAt !== null && `ends on ${day(endsAt)}`;
  const isOn = state === 'running' || state === 'capped';
  const pace =
    showsPace &&
    isOn &&
    Math.abs(ahead) >= SMALL &&
    `${numbers.wholePercent(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead'}`;
  return [state === 'capped' && 'cap reached until tomorrow', end, pace].filter(Boolean).join(', ');
}

/** The click-through rate; negative without impressions, see `Numbers.rate`. */
export const ctrOf = ({ valid, ctr }: Total): number => (valid > 0 ? ctr : -1);

/** The viewable rate; negative without impressions, or if none was ever reported as viewable. */
export const viewableRateOf = ({ valid, viewableRate }: Total): number => (valid > 0 ? (viewableRate ?? -1) : -1);

/** The viewable impressions and their share of the valid ones; “–” if none was ever reported. */
export function viewableColumns(numbers: Numbers): readonly [count: Column<Total>, rate: Column<Total>] {
  const count = ({ viewable, viewableRate }: Total) => (viewableRate === null ? -1 : viewable);
  const write = (value: number) => (value < 0 ? '–' : numbers.count(value));
  return [
    numberColumn({ key: 'viewable', name: 'Viewable' }, count, write),
    numberColumn({ key: 'rate', name: 'Viewable rate', spare: true }, viewableRateOf, numbers.rate),
  ];
}

/** The clicks and the click-through rate. */
export const clickColumns = (numbers: Numbers, more: Pick<Column<Total>, 'spare'> = {}): readonly Column<Total>[] => [
  numberColumn({ key: 'clicks', name: 'Clicks', ...more }, ({ clicks }) => clicks, numbers.count),
  numberColumn({ key: 'ctr', name: 'CTR', ...more }, ctrOf, numbers.rate),
];

export function Progress({ figures, numbers }: { figures: CampaignFigures; numbers: Numbers }) {
  const { goal } = figures.campaign;
  if (!goal) return <>no goal</>;
  const [wanted = 0, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  const done = goal.clicks === undefined ? figures.impressions : figures.clicks;
  const text = `${numbers.count(done)} of ${numbers.count(wanted)} ${what}`;
  return (
    <span class="goal">
      <progress value={done} max={wanted} aria-label={text} />
      {text}
    </span>
  );
}
