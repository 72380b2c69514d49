import type { Outgoing } from '../calls/outgoing.ts';
import { runOption } from '../calls/run-option.ts';
import { Shared, type Signal } from '../calls/shared.ts';
import { setOf } from '../check-options.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { CallOptions, RetryOptions } from '../options.ts';

/** {@link RetryOptions} with their defaults. */
export type RetryPlan = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

/** The longest time of a timer, in milliseconds: one that is longer fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds in which a lost delivery may be repeated: the server remembers its key for ten minutes. */
const REPEATABLE = 9 * 60_000;

const defaults: RetryPlan = {
  limit: 2,
  baseDelay: 300,
  maxDelay: 10_000,
  maxRetryAfter: 30_000,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
  random: Math.random,
};

/** Reads the options of a client and of a call into one plan. */
export const planRetries = (...options: readonly CallOptions['retry'][]): RetryPlan =>
  Object.assign(
    { ...defaults },
    ...options.map((own = {}) => setOf(typeof own === 'object' ? own : { limit: Number(own) })),
  );

/** A call whose last attempt failed. */
export interface Failed {
  readonly outgoing: Outgoing;
  readonly error: BroadsheetError;
  readonly attempts: number;
  /** Whether an attempt may have counted an impression. */
  readonly mayBeCounted: boolean;
  /** Aborted when the call ends. */
  readonly signal: Signal;
  /** Asks the API whether it counts deliveries with one key once. */
  ask(signal: AbortSignal): Promise<unknown>;
}

/**
 * Waits until the request may be sent again without counting an impression twice. A click token is used once, which
 * makes a repeated click safe. A delivery that may have been counted is repeated only with its key, and only if the
 * latest response about keys said that the API accepts them; if there was none yet, the API is asked first.
 *
 * | what failed                                        | read, click | delivery |
 * | -------------------------------------------------- | ----------- | -------- |
 * | no connection was made                             | repeat      | repeat   |
 * | connection lost, response cut off or unreadable    | repeat      | with key |
 * | envelope of the API, `retryable: true`             | repeat      | repeat   |
 * | the same with status 408, 502 or 504               | repeat      | with key |
 * | envelope of the API, `retryable: false`            | never       | never    |
 * | anything else with status 429 or 503               | repeat      | repeat   |
 * | anything else with status 408, 425, 500, 502, 504  | repeat      | with key |
 * | timeout, abort, wrong certificate, other statuses  | never       | never    |
 *
 * @returns The milliseconds of the pause.
 * @throws The error of the attempt, if the request may not be sent again.
 */
export async function untilRepeat(failed: Failed): Promise<number> {
  const { outgoing, error, attempts, mayBeCounted, signal } = failed;
  const { ads, options } = outgoing.settings;
  const plan = planRetries(options.retry, outgoing.task.options?.retry);
  for (let tries = attempts; ; tries++) {
    const wait = tries <= plan.limit && mayRepeat(failed) ? await pause(plan, failed, tries) : undefined;
    if (wait === undefined || signal.aborted || wait >= outgoing.until - performance.now()) throw error;
    outgoing.report?.('retry', attempts + 1, { duration: wait, error });
    const sleep = (self: Shared<void>) =>
      runOption('retry.sleep', outgoing.id, self, () => plan.sleep(wait, self.signal));
    await new Shared(sleep, 'wait').join(signal);
    if (mayBeCounted && ads.acceptsKeys === undefined)
      await new Shared((self) => failed.ask(self.signal), 'wait').join(signal);
    // The machine may have slept for longer than the wait.
    if (!mayRepeat(failed)) throw error;
    if (!mayBeCounted || ads.acceptsKeys) return Math.round(wait);
  }
}

/** Whether the request of a failed call may be sent again, as far as is known. */
function mayRepeat({ outgoing, error, mayBeCounted }: Failed): boolean {
  if (!error.retryable || !mayBeCounted) return error.retryable;
  const { settings, task } = outgoing;
  // blog.request() sends no key.
  return task.keyedAt !== undefined && settings.ads.acceptsKeys !== false && Date.now() - task.keyedAt < REPEATABLE;
}

/** Milliseconds before the next attempt; `undefined` when the server asks to wait longer than `maxRetryAfter`. */
async function pause(
  plan: RetryPlan,
  { outgoing, error, signal }: Failed,
  failures: number,
): Promise<number | undefined> {
  if (error.retryAfter !== undefined) return error.retryAfter <= plan.maxRetryAfter ? error.retryAfter : undefined;
  // Full jitter, so that clients that failed at the same time do not retry at the same time.
  const random = (self: Shared<number>) => runOption('retry.random', outgoing.id, self, plan.random);
  const share = await new Shared(random, 'wait').join(signal);
  return share * Math.min(plan.maxDelay, plan.baseDelay * 2 ** (failures - 1)) || 0;
}
