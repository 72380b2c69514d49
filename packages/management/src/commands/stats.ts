import { readStats } from '../figures/stats.ts';
import { measuredDays, totalsBy } from '../figures/totals.ts';
import { command } from './command.ts';
import { dayTable, percent, tablesByKind, totalsTable } from './figures.ts';
import { table } from './text-table.ts';

/** The figures of a blog. */
export const stats = {
  stats: command({
    effect: 'read',
    help: 'show impressions, clicks and click-through rate per ad and per day, even while the server is running',
    scopes: ['ads', 'stats'],
    args: {},
    run: ({ store, blog, now }) => readStats(store, blog, now),
    text({ ads, campaigns, placements, days, timeZone, excluded, unknown }, _, blog) {
      const byImpressions = ads.toSorted((a, b) => b.impressions - a.impressions);
      const history = totalsBy(['day'], days, measuredDays(days));
      const traffic = [...excluded, ...unknown].map(({ day, reason, impressions }) => [day, reason, impressions]);
      return [
        blog,
        ...totalsTable({ AD: 'text', FORMAT: 'text' }, byImpressions, ({ title, format }) => [title, format]),
        ...tablesByKind(
          { CAMPAIGN: 'text' },
          campaigns,
          ({ kind }) => kind,
          ({ sponsor, name, state }) => [
            `${sponsor ? `${sponsor}: ` : ''}${name}${state === 'deleted' ? ' (deleted)' : ''}`,
          ],
        ),
        ...totalsTable(
          { PLACEMENT: 'id', REQUESTS: 'text', FILL: 'text' },
          placements,
          ({ placement, requests, fill }) => [placement, requests, percent(fill)],
        ),
        ...(history.length > 0 ? dayTable(history, timeZone) : ['No ads have been delivered yet.']),
        ...(traffic.length > 0 ? [table({ DAY: 'text', TRAFFIC: 'text', IMPRESSIONS: 'text' }, traffic)] : []),
      ];
    },
  }),
};
