import { isOutage, type Observation } from '@broadsheet/core';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds between two logged failures of the database. */
const BETWEEN_OUTAGES = 1000;

/**
 * Counts each response and logs it: server failures as errors, the rest for debugging. Only names from the contract are
 * logged, never a header, a path, a body or a key of a request. While the database is unavailable, every request fails
 * in the same way, so one failure per second is logged, with the number of failures left out since the last.
 */
export function createObserver(metrics: Metrics, log: Logger | undefined): (observation: Observation) => void {
  if (!log) return metrics.observe;
  const debugs = log.isLevelEnabled('debug');
  let quietUntil = 0;
  let unwritten = 0;
  return (observation) => {
    metrics.observe(observation);
    const failed = observation.status >= 500;
    if (!(failed || debugs)) return;
    let leftOut = 0;
    if (isOutage(observation.cause) && !debugs) {
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
      failed ? 'a request failed' : 'handled',
    );
  };
}
