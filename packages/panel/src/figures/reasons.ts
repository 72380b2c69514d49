import type { Excluded } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';

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
