import type { Visit } from '../access/visit.ts';
import { type Period, PRESETS, step } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { Button } from '../layout/form.tsx';
import { OtherParameters } from '../layout/search.tsx';

/** The days of a range in the format of the reader. */
export function rangeOf(days: readonly string[], { numbers, now }: Pick<Visit, 'numbers' | 'now'>): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? numbers.longDay(first) : `${numbers.day(first, now)} – ${numbers.day(last, now)}`;
}

/** Selects the period: a preset, a step back or forward, or a custom range. */
export function PeriodBar({ visit, period }: { visit: Visit; period: Period }) {
  const { url } = visit;
  const at = (changes: Readonly<Record<string, string | undefined>>) =>
    withQuery(url, { period: undefined, from: undefined, to: undefined, ...changes });
  return (
    <div class="periods">
      <nav aria-label="Period">
        <a href={at(step(period, -1))} aria-label="Previous period" rel="prev">
          ←
        </a>
        {PRESETS.map(([preset, name]) => (
          <a href={at({ period: preset })} aria-current={period.preset === preset ? 'true' : undefined}>
            {name}
          </a>
        ))}
        <a href={at(step(period, 1))} aria-label="Next period" rel="next">
          →
        </a>
      </nav>
      <details>
        <summary>{period.preset ? 'Custom range' : rangeOf(period.days, visit)}</summary>
        <form method="get" action={url.pathname} class="range">
          <OtherParameters except={['from', 'to', 'period']} />
          <label>
            From <input type="date" name="from" value={period.from} required />
          </label>
          <label>
            To <input type="date" name="to" value={period.to} required />
          </label>
          <Button kind="small" name="Show" />
        </form>
      </details>
    </div>
  );
}
