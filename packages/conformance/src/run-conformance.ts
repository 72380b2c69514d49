import { conformanceCases } from './conformance-cases.ts';
import { type Capability, type ConformanceCase, capabilities, type Target, Unchecked } from './target.ts';

/** The result of one case. */
export interface ConformanceResult {
  readonly section: string;
  readonly name: string;
  readonly ok: boolean;
  /** How the target differs from the document. */
  readonly error?: string;
  /** Why the case could not be checked. `ok` is then false, and there is no `error`. */
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
  /** `read` (the default) does not change the target; `all` also records impressions and clicks. */
  readonly effects?: 'read' | 'all';
  /** Stops at the first case that fails. */
  readonly bail?: boolean;
  /** Called after each case. */
  readonly onResult?: (result: ConformanceResult) => void;
}

/** The cases that a target can run, and those that it cannot, each with the missing capabilities. */
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
 * Checks a target against the document: runs every case that it supports, one after the other.
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
