import type { SnapshotCampaign } from '@broadsheet/contract';
import type { CampaignState, Total } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';
import type { Numbers } from '../figures/numbers.ts';

/** Relative deviations below this value are not shown. */
const SMALL = 0.01;

/** What determines the outlook of a campaign; `ahead` is absent for readers who do not see the pace. */
interface Outlook {
  readonly campaign: Readonly<Pick<SnapshotCampaign, 'startsAt' | 'endsAt'>>;
  readonly state: CampaignState;
  readonly expectedAt?: string;
  readonly ahead?: number;
}

/**
 * The reason why a campaign does not deliver; or when it ends and, with its pace, how far it is ahead of or behind its
 * plan.
 */
export function outlookOf(outlook: Outlook, numbers: Numbers, now: number): string {
  const { campaign, state, expectedAt, ahead = 0 } = outlook;
  const { startsAt, endsAt } = campaign;
  const day = (at: string) => numbers.dayOfMonth(at, now);
  if (state === 'deleted') return '';
  if (state === 'reached') return 'goal reached';
  if (state === 'empty') return 'has no ad to deliver';
  if (state === 'waiting' && startsAt !== null) return `starts on ${day(startsAt)}`;
  if (state === 'ended' && endsAt !== null) return `ended on ${day(endsAt)}`;
  const end = expectedAt ? `ends about ${day(expectedAt)}` : endsAt !== null && `ends on ${day(endsAt)}`;
  const hasPace = (state === 'running' || state === 'capped') && Math.abs(ahead) >= SMALL;
  // Shortly after the start of a plan, hardly anything is due yet.
  const deviation = `${ahead > 1 ? 'more than ' : ''}${numbers.wholePercent(Math.min(Math.abs(ahead), 1))}`;
  const pace = hasPace && `${deviation} ${ahead < 0 ? 'behind' : 'ahead'}`;
  return [state === 'capped' && 'cap reached until tomorrow', end, pace].filter(Boolean).join(', ');
}

interface ProgressProps {
  goal: SnapshotCampaign['goal'];
  total: Pick<Total, 'impressions' | 'clicks'>;
}

export function Progress({ goal, total }: ProgressProps) {
  const { count } = currentNumbers();
  if (!goal) return <>no goal</>;
  const [target = 0, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  const done = goal.clicks === undefined ? total.impressions : total.clicks;
  const text = `${count(done)} of ${count(target)} ${what}`;
  return (
    <span class="goal">
      <progress value={done} max={target} aria-label={text} />
      {text}
    </span>
  );
}
