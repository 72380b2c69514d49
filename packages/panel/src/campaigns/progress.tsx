import type { CampaignFigures, Total } from '@broadsheet/management';
import type { Numbers } from '../figures/numbers.ts';
import { type Column, numberColumn } from '../layout/table.tsx';

/** Relative deviations below this are not shown. */
const SMALL = 0.01;

/** When a campaign ends, and how far it is ahead of or behind the share of its time that has passed. */
export function outlookOf(figures: CampaignFigures, numbers: Numbers, now: number): string {
  const { campaign, state, expectedAt, progress, timePassed } = figures;
  const { startsAt, endsAt } = campaign;
  const day = (at: string) => numbers.dayOfMonth(at, now);
  if (state === 'deleted') return '';
  if (state === 'reached') return 'goal reached';
  if (state === 'waiting' && startsAt !== null) return `starts on ${day(startsAt)}`;
  if (state === 'ended' && endsAt !== null) return `ended on ${day(endsAt)}`;
  const end = expectedAt ? `ends about ${day(expectedAt)}` : endsAt !== null && `ends on ${day(endsAt)}`;
  const ahead = progress === undefined || !timePassed ? 0 : progress / timePassed - 1;
  const pace = Math.abs(ahead) >= SMALL && `${numbers.wholePercent(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead'}`;
  return [end, pace].filter(Boolean).join(', ');
}

/** The viewable impressions and their share of the valid ones; “–” if none was ever reported. */
export function viewableColumns(numbers: Numbers): readonly [count: Column<Total>, rate: Column<Total>] {
  const orDash = (write: (value: number) => string) => (value: number) => (value < 0 ? '–' : write(value));
  const count = ({ viewable, viewableRate }: Total) => (viewableRate === null ? -1 : viewable);
  const rate = ({ viewableRate }: Total) => viewableRate ?? -1;
  return [
    numberColumn({ key: 'viewable', name: 'Viewable' }, count, orDash(numbers.count)),
    numberColumn({ key: 'rate', name: 'Viewable rate', spare: true }, rate, orDash(numbers.percent)),
  ];
}

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
