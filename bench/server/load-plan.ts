import { fileURLToPath } from 'node:url';
import { run } from '../child.ts';

/** The requests that the load client sends. */
export interface LoadPlan {
  readonly url: string;
  /** `{n}` in it is replaced by a different number in each request, in pseudorandom order. */
  readonly key: string;
  readonly method: 'GET' | 'POST';
  /** `{n}` in it is replaced by a number that increases with each request, from `from`, modulo `modulo`. */
  readonly path: string;
  readonly from: number;
  readonly modulo: number;
  readonly body?: string;
  /** The number of IP addresses among which the requests rotate, so that they do not seem to come from one server. */
  readonly readers?: number;
  readonly connections: number;
  readonly ms: number;
}

/** Enough readers that none of them requests more ads than a server delivers to one IP address by default. */
export const READERS = 1000;

/** The responses to a plan. */
export interface LoadResult {
  readonly perSecond: number;
  readonly responses: number;
  /** Responses other than 200. */
  readonly failures: number;
  /** Median time of a request in milliseconds. */
  readonly median: number;
}

/** Sends load from a separate process. */
export async function sendLoad(plan: LoadPlan): Promise<LoadResult> {
  const { out } = await run([fileURLToPath(new URL('load.ts', import.meta.url)), JSON.stringify(plan)]);
  return JSON.parse(out);
}

/** Like {@link sendLoad}. @throws Error if a response was not 200, since a fast error is not a valid result */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const result = await sendLoad(plan);
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.responses} responses to ${plan.path} were not 200`);
  return result;
}
