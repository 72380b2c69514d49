/** @jsxImportSource hono/jsx */
import type { Numbers } from '../figures/numbers.ts';
import { type Period, PRESETS, step } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';

/** The days of a range as a reader writes them. */
export function rangeOf(days: readonly string[], numbers: Numbers): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? numbers.longDay(first) : `${numbers.day(first)} – ${numbers.day(last)}`;
}

/** Which days are looked at: by a click, a step back or forth, or any there are. */
export function PeriodBar({ url, period, numbers }: { url: URL; period: Period; numbers: Numbers }) {
  const at = (changes: Readonly<Record<string, string | undefined>>) =>
    withQuery(url, { period: undefined, from: undefined, to: undefined, ...changes });
  return (
    <div class="periods">
      <nav aria-label="Period">
        <a href={at(step(period, -1))} aria-label="The period before" rel="prev">
          ←
        </a>
        {PRESETS.map(([preset, name]) => (
          <a href={at({ period: preset })} aria-current={period.preset === preset ? 'true' : undefined}>
            {name}
          </a>
        ))}
        <a href={at(step(period, 1))} aria-label="The period after" rel="next">
          →
        </a>
      </nav>
      <details>
        <summary>{period.preset ? 'Any days' : rangeOf(period.days, numbers)}</summary>
        <form method="get" action={url.pathname} class="range">
          {[...url.searchParams]
            .filter(([name]) => !['from', 'to', 'period', 'done'].includes(name))
            .map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          <label>
            From <input type="date" name="from" value={period.from} required />
          </label>
          <label>
            to <input type="date" name="to" value={period.to} required />
          </label>
          <button class="button small" type="submit">
            Show
          </button>
        </form>
      </details>
    </div>
  );
}
