import { type Observation, StoreUnavailable } from '@broadsheet/core';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds. */
const BETWEEN_OUTAGES = 1000;

/**
 * Counts each answer and writes it to the log: failures of the server as errors, the rest for debugging. Of a request
 * only what the contract names is written, never a header, a path, a body or a key. While the database is away, one
 * failure a second is written, with the number of those left out since the last: every request fails alike.
 */
export function createObserver(metrics: Metrics, log: Logger | undefined): (observation: Observation) => void {
  const debugs = log?.isLevelEnabled('debug') ?? false;
  let quietUntil = 0;
  let unwritten = 0;
  return (observation) => {
    metrics.observe(observation);
    const failed = observation.status >= 500;
    if (!log || !(failed || debugs)) return;
    let leftOut = 0;
    if (observation.cause instanceof StoreUnavailable && !debugs) {
      const now = performance.now();
      if (now < quietUntil) {
        unwritten += 1;
        return;
      }
      [leftOut, unwritten, quietUntil] = [unwritten, 0, now + BETWEEN_OUTAGES];
    }
    const { requestId, endpoint, blogId, status, code, ms, impressions, click, cause } = observation;
    log[failed ? 'error' : 'debug'](
      {
        requestId,
        endpoint,
        blogId,
        status,
        code,
        ms,
        ...(impressions > 0 && { impressions }),
        ...(click && { click }),
        ...(cause !== undefined && { cause }),
        ...(leftOut > 0 && { leftOut }),
      },
      failed ? 'a request failed' : 'answered',
    );
  };
}
