import type { SnapshotCampaign } from '@broadsheet/contract';

const count = (impressions: number): string => impressions.toLocaleString('en');

const DAY = 24 * 60 * 60 * 1000;

/**
 * The problems of a campaign's plan, as sentences.
 *
 * @param delivered its impressions so far
 */
export function planProblems(
  { goal, perDay, pace, startsAt, endsAt }: SnapshotCampaign,
  delivered: number,
  now: number,
): string[] {
  const wanted = goal?.impressions;
  const left = Math.ceil((Date.parse(endsAt ?? '') - Math.max(now, Date.parse(startsAt ?? '') || 0)) / DAY);
  const possible = delivered + (perDay ?? Number.POSITIVE_INFINITY) * left;
  return [
    ...(goal && pace === 'even' && endsAt === null
      ? ['Without a last day, the goal is not spread evenly: the ads are delivered as soon as possible.']
      : []),
    ...(wanted !== undefined && left > 0 && possible < wanted
      ? [
          `The goal cannot be reached: at ${perDay} impressions per day, at most ${count(possible)} of ${count(wanted)} fit into its period.`,
        ]
      : []),
  ];
}
