import type { Effect } from '@broadsheet/contract';
import { setOf } from '../check-options.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { CallOptions, RetryOptions } from '../options.ts';

/** {@link RetryOptions} with their defaults. */
export type RetryPlan = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

const defaults: RetryPlan = {
  limit: 2,
  baseDelay: 300,
  maxDelay: 10_000,
  maxRetryAfter: 30_000,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
  random: Math.random,
};

/** Reads the options of a client and of a call into one plan. */
export function planRetries(...options: readonly CallOptions['retry'][]): RetryPlan {
  const plan: RetryPlan = { ...defaults };
  for (const option of options) {
    if (option === undefined) continue;
    const own = typeof option === 'object' ? option : { limit: Number(option) };
    Object.assign(plan, setOf(own));
  }
  return plan;
}

/**
 * Whether a failed attempt may be repeated without counting an impression twice. A click token is used once, which makes
 * a repeated click safe. A delivery is repeated as a read is once the server has accepted idempotency keys: with the same
 * key it counts once.
 *
 * | what failed                                        | read, click | delivery |
 * | -------------------------------------------------- | ----------- | -------- |
 * | no connection was made                             | repeat      | repeat   |
 * | connection lost, response cut off or unreadable    | repeat      | never    |
 * | envelope of the API, `retryable: true`             | repeat      | repeat   |
 * | the same with status 408, 502 or 504               | repeat      | never    |
 * | envelope of the API, `retryable: false`            | never       | never    |
 * | anything else with status 429 or 503               | repeat      | repeat   |
 * | anything else with status 408, 425, 500, 502, 504  | repeat      | never    |
 * | any of these, once the server has accepted a key   | as above    | as read  |
 * | timeout, abort, wrong certificate, other statuses  | never       | never    |
 */
export function mayRepeat(effect: Effect, error: BroadsheetError, countsOnce: boolean): boolean {
  return error.retryable && (effect !== 'delivery' || error.uncounted === true || countsOnce);
}

/** Milliseconds before the next attempt; `undefined` when the server asks to wait longer than `maxRetryAfter`. */
export function pause(plan: RetryPlan, error: BroadsheetError, failures: number): number | undefined {
  if (error.retryAfter !== undefined) return error.retryAfter <= plan.maxRetryAfter ? error.retryAfter : undefined;
  // Full jitter, so that clients that failed at the same time do not retry at the same time.
  return plan.random() * Math.min(plan.maxDelay, plan.baseDelay * 2 ** (failures - 1));
}
