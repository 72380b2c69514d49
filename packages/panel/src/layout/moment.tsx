/** @jsxImportSource hono/jsx */
import type { Numbers } from '../figures/numbers.ts';

/** An instant in a table; on a phone its day alone. */
export function Moment({ at, numbers }: { at: string; numbers: Numbers }) {
  return (
    <time datetime={at}>
      <span class="brief">{numbers.fullDay(at)}</span>
      <span class="spare">{numbers.moment(at)}</span>
    </time>
  );
}
