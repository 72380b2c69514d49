import type { ProvenCampaign } from '../content.ts';
import type { CommandEntry } from '../history.ts';
import { type Delivery, deliveriesOf, validOf } from './deliveries.ts';
import { type Change, possibleValues } from './register.ts';
import type { BlogHistory, Rule, Verdict } from './rule.ts';

type Limit = 'goal' | 'perDay';

/** The edits of a limit of a campaign. */
function editsOf({ of }: BlogHistory, campaign: ProvenCampaign, limit: Limit): (CommandEntry & Change<number>)[] {
  return of('command').flatMap((entry) => {
    const value = entry.campaign === campaign.id ? entry[limit] : undefined;
    return value === undefined ? [] : [{ ...entry, value }];
  });
}

const initialOf = (campaign: ProvenCampaign, limit: Limit): number => campaign[limit] ?? Number.POSITIVE_INFINITY;

/** Combines what is found about each campaign of a blog. */
const perCampaign =
  (check: (history: BlogHistory, campaign: ProvenCampaign) => Verdict): Rule['check'] =>
  (history) => {
    const verdicts = history.blog.campaigns.map((campaign) => check(history, campaign));
    return {
      chances: verdicts.reduce((sum, { chances }) => sum + chances, 0),
      found: verdicts.flatMap(({ found }) => found),
    };
  };

/** Compares the final figures with the highest limit that was ever set. */
const inTheEnd = (limit: Limit): Rule['check'] =>
  perCampaign((history, campaign) => {
    const edits = editsOf(history, campaign, limit);
    const values = edits.flatMap(({ outcome, value }) => (outcome === 'refused' ? [] : value));
    const most = Math.max(initialOf(campaign, limit), ...values);
    const rows = history.figures.days.filter(({ adId }) => history.blog.ads[adId]?.campaign === campaign.id);
    const sums = limit === 'goal' ? [['in total', rows] as const] : [...Map.groupBy(rows, ({ day }) => day)];
    const found = sums.flatMap(([when, own]) => {
      const count = own.reduce((sum, { valid }) => sum + valid, 0);
      return count > most ? [{ text: `${campaign.id}, ${when}: ${count} > ${most}`, entries: edits }] : [];
    });
    return { chances: sums.length, found };
  });

/**
 * Compares what was acknowledged before a delivery and with it with the limit at that time, which may have been lowered.
 */
const always = (limit: Limit): Rule['check'] =>
  perCampaign((history, campaign) => {
    const edits = editsOf(history, campaign, limit);
    const own = deliveriesOf(history)
      .map((delivery) => ({ delivery, count: validOf(delivery, history.blog, campaign.id) }))
      .filter(({ count, delivery: { days } }) => count > 0 && (limit === 'goal' || days.length === 1));
    const groups = limit === 'goal' ? [own] : Map.groupBy(own, ({ delivery: { days } }) => days[0]).values();
    const found = [...groups].flatMap((some) => {
      const before = sumsUntil(some);
      return some.flatMap(({ delivery, count }) => {
        const sum = before(delivery.start) + count;
        const most = Math.max(...possibleValues(edits, initialOf(campaign, limit), delivery));
        if (sum <= most) return [];
        const text = `${campaign.id}: ${sum} acknowledged, although its ${limit} was ${most}`;
        return [{ text, entries: [...edits, ...delivery.entries] }];
      });
    });
    return { chances: own.length, found: found.slice(0, 1) };
  });

/** The sum of the counts whose responses were read before a time. */
function sumsUntil(deliveries: readonly { readonly delivery: Delivery; readonly count: number }[]) {
  const inOrder = deliveries.toSorted((a, b) => a.delivery.end - b.delivery.end);
  const sums = [0];
  for (const { count } of inOrder) sums.push((sums.at(-1) ?? 0) + count);
  return (time: number): number => {
    let [low, high] = [0, inOrder.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((inOrder[middle]?.delivery.end ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return sums[low] ?? 0;
  };
}

export const LIMITS: readonly Rule[] = [
  { promise: 'no goal is exceeded', check: inTheEnd('goal') },
  { promise: 'no daily cap is exceeded', check: inTheEnd('perDay') },
  { promise: 'no goal is exceeded at any moment', check: always('goal') },
  { promise: 'no daily cap is exceeded at any moment', check: always('perDay') },
];
