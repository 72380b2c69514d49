import { conformanceCases } from './conformance-cases.ts';
import { type Capability, type ConformanceCase, capabilities, type Target, Unchecked } from './target.ts';

/** What became of one case. */
export interface ConformanceResult {
  readonly section: string;
  readonly name: string;
  readonly ok: boolean;
  /** Where the target and the document part. */
  readonly error?: string;
  /** Why the target could not be held against it; `ok` is false then, and there is no `error`. */
  readonly unchecked?: string;
  /** Milliseconds the case took. */
  readonly ms: number;
}

function messageOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  const { message, cause } = reason;
  return cause instanceof Error ? `${message}: ${messageOf(cause)}` : message;
}

/** Which cases to run. */
export interface ConformanceOptions {
  /** `read` (the default) leaves the target as it is; `all` also records impressions and clicks. */
  readonly effects?: 'read' | 'all';
  /** Ends the run with the first promise that is broken. */
  readonly bail?: boolean;
  /** Called after each case. */
  readonly onResult?: (result: ConformanceResult) => void;
}

/** The cases a target can be held against, and those it cannot, each with what it lacks for it. */
export function casesFor(target: Target, effects: ConformanceOptions['effects'] = 'all') {
  const able = capabilities(target);
  const lacks = ({ needs }: ConformanceCase): Capability[] => needs.filter((need) => !able.has(need));
  const wanted = conformanceCases.filter(
    ({ effect, section }) =>
      (effects === 'all' || effect === 'read') && !(target.documentOnly && section === 'decided'),
  );
  return {
    cases: wanted.filter((one) => lacks(one).length === 0),
    left: wanted.filter((one) => lacks(one).length > 0).map((one) => ({ case: one, lacks: lacks(one) })),
  };
}

/**
 * Holds a target against the document: runs, one after the other, every case it is able to be held against.
 *
 * @example
 * const results = await runConformance({ baseUrl: 'https://blog.example', fetch: (request) => fetch(request), apiKey });
 * console.table(results.filter(({ ok }) => !ok));
 */
export async function runConformance(
  target: Target,
  { effects = 'read', bail = false, onResult }: ConformanceOptions = {},
): Promise<readonly ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  for (const { section, name, run } of casesFor(target, effects).cases) {
    const start = performance.now();
    const outcome = await run(target).then(
      () => ({ ok: true }),
      (reason: unknown) => ({ ok: false, [reason instanceof Unchecked ? 'unchecked' : 'error']: messageOf(reason) }),
    );
    const result: ConformanceResult = { section, name, ms: performance.now() - start, ...outcome };
    results.push(result);
    onResult?.(result);
    if (bail && result.error !== undefined) break;
  }
  return results;
}
