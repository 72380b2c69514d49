import { fileURLToPath } from 'node:url';
import { run } from '../child.ts';

/** What the load client sends. */
export interface LoadPlan {
  readonly url: string;
  /** With `{n}` in it each request has another key, drawn as `path` counts. */
  readonly key: string;
  readonly method: 'GET' | 'POST';
  /** `{n}` in it is a number that grows with each request, from `from`, modulo `modulo`. */
  readonly path: string;
  readonly from: number;
  readonly modulo: number;
  readonly body?: string;
  readonly connections: number;
  readonly ms: number;
}

/** What came back. */
export interface LoadResult {
  readonly perSecond: number;
  readonly answers: number;
  /** Answers other than 200. */
  readonly failures: number;
  /** Milliseconds. */
  readonly median: number;
}

/** Sends load from a process of its own. */
export async function sendLoad(plan: LoadPlan): Promise<LoadResult> {
  const { out } = await run([fileURLToPath(new URL('load.ts', import.meta.url)), JSON.stringify(plan)]);
  return JSON.parse(out);
}

/** The same. @throws when an answer was not 200: a fast refusal is no result */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const result = await sendLoad(plan);
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.answers} answers to ${plan.path} were not 200`);
  return result;
}
