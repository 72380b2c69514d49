/** One event of a Chromium trace, as far as it is read here; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly url?: string } };
}

/** What to record. */
export const CATEGORIES = ['devtools.timeline', 'v8.execute'];
const SCRIPT = new Set([
  'EvaluateScript',
  'FunctionCall',
  'RunMicrotasks',
  'EventDispatch',
  'TimerFire',
  'FireAnimationFrame',
  'FireIdleCallback',
]);

/**
 * Milliseconds of the main thread's own time in which script ran, and the longest stretch of it, microtasks too: both
 * clients draw in one, and the browser's `ScriptDuration` leaves those out. Thread time, so other processes do not count,
 * and only of the page at `url`: the browser has pages of its own.
 */
export function scriptTime(trace: Buffer, url: string): { readonly sum: number; readonly longest: number } {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const thread = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const { origin } = new URL(url);
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'EvaluateScript' && args.data?.url?.startsWith(origin)).map(thread),
  );
  const runs = traceEvents
    .filter((event) => event.ph === 'X' && SCRIPT.has(event.name) && main.has(thread(event)))
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let end = 0;
  let sum = 0;
  let longest = 0;
  for (const { ts, dur = 0, tdur = dur } of runs) {
    // One inside another is counted with it.
    if (ts < end) continue;
    end = ts + dur;
    sum += tdur;
    longest = Math.max(longest, tdur);
  }
  return { sum: sum / 1000, longest: longest / 1000 };
}
