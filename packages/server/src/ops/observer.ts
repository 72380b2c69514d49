import type { Observation } from '@broadsheet/core';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/**
 * Counts each answer and writes it to the log: failures of the server as errors, the rest for debugging. Of a request
 * only what the contract names is written, never a header, a path, a body or a key.
 */
export function createObserver(metrics: Metrics, log: Logger | undefined): (observation: Observation) => void {
  const debugs = log?.isLevelEnabled('debug') ?? false;
  return (observation) => {
    metrics.observe(observation);
    const failed = observation.status >= 500;
    if (!log || !(failed || debugs)) return;
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
      },
      failed ? 'a request failed' : 'answered',
    );
  };
}
