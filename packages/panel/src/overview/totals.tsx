/** @jsxImportSource hono/jsx */
import { changeOf, ctrOf, type Figures, NONE } from '../figures/figures.ts';
import type { Numbers } from '../figures/numbers.ts';
import type { Period } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { isShare, METRICS, measure, metricIn, metricsOf, write } from './metrics.ts';

/** What the period brought in all, against the one before; each a link to its chart. */
export function Totals({ url, figures, numbers }: { url: URL; figures: Figures; numbers: Numbers }) {
  const current = metricIn(url);
  return (
    <ul class="totals">
      {metricsOf(figures).map((metric) => {
        const [now, before] = [measure(metric, figures.total), measure(metric, figures.before)];
        const change = changeOf(now, before);
        return (
          <li>
            <a href={withQuery(url, { metric })} aria-current={metric === current ? 'true' : undefined}>
              <span class="name">{METRICS[metric]}</span>
              <span class="value" data-live={`total-${metric}`}>
                {write(metric, numbers)(now)}
              </span>
              <span class="change">
                {change === undefined ? (
                  'nothing before'
                ) : (
                  <>
                    <span class={change < 0 ? 'down' : 'up'}>{numbers.change(change)}</span> vs.{' '}
                    {(isShare(metric) ? numbers.percent : numbers.short)(before)}
                  </>
                )}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The chart as a table: for whoever cannot see it, and for whoever wants the numbers. */
export function Days({ period, figures, numbers }: { period: Period; figures: Figures; numbers: Numbers }) {
  return (
    <section class="scroll" aria-label="Days">
      <table>
        <caption class="unseen">Impressions, clicks and click-through rate by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {['Impressions', 'Clicks', 'CTR', 'Impressions before'].map((name) => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {period.days.map((day, index) => {
            const count = figures.series[index] ?? NONE;
            const before = figures.seriesBefore[index] ?? NONE;
            return (
              <tr>
                <th scope="row">{numbers.longDay(day)}</th>
                <td class="number">{numbers.count(count.impressions)}</td>
                <td class="number">{numbers.count(count.clicks)}</td>
                <td class="number">{numbers.percent(ctrOf(count))}</td>
                <td class="number">{numbers.count(before.impressions)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
