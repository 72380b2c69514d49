import { type Observation, StoreUnavailable } from '@broadsheet/core';
import { afterEach, expect, it, vi } from 'vitest';
import type { Logger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createObserver } from './observer.ts';

afterEach(() => vi.useRealTimers());

it('while the database is unavailable, one of its failures is logged per second, and every other failure is logged', () => {
  vi.useFakeTimers();
  const lines: Record<string, unknown>[] = [];
  const log = { isLevelEnabled: () => false, error: (line: Record<string, unknown>) => lines.push(line) };
  const metrics = createMetrics(() => ({}));
  const observe = createObserver(metrics, log as unknown as Logger);
  const fail = (cause: Error) =>
    observe({
      requestId: 'r',
      status: cause instanceof StoreUnavailable ? 503 : 500,
      ms: 1,
      impressions: 0,
      cause,
    } as Observation);
  const away = new StoreUnavailable('gone');
  for (let request = 0; request < 738; request += 1) fail(away);
  fail(new Error('a bug'));
  vi.advanceTimersByTime(1000);
  fail(away);
  fail(away);
  metrics.close();
  expect(lines.map(({ status, leftOut }) => ({ status, leftOut }))).toEqual([
    { status: 503, leftOut: undefined },
    { status: 500, leftOut: undefined },
    { status: 503, leftOut: 737 },
  ]);
});
