/** The fields of an event of a Chromium trace that are used here. Times are in microseconds. */
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

/** The trace categories to record. */
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
 * Milliseconds of script on the main thread, in total and of the longest block. Microtasks are included, because both
 * clients render in one; the `ScriptDuration` of the browser excludes them. Thread time excludes other processes. Only
 * the page at `url` counts, because the browser has internal pages.
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
    // A nested run is counted with the outer one.
    if (ts < end) continue;
    end = ts + dur;
    sum += tdur;
    longest = Math.max(longest, tdur);
  }
  return { sum: sum / 1000, longest: longest / 1000 };
}
