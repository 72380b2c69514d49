import type { Clock } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
/** Milliseconds for which the result of a check is shared. */
const SHARED = 1000;

/** `/healthz`: the process responds. */
export function health(): Response {
  return new Response('{"status":"ok"}', { headers: HEADERS });
}

/**
 * `/readyz`: whether requests can be served and counted now. They cannot while the database is unavailable, read-only
 * or full, or while the server stops. Each check commits, so only one runs at a time and its result is shared:
 * otherwise, many callers would slow down the requests of readers.
 */
export function createReadiness(store: SqlStore, clock: Clock, stopping: () => boolean): () => Promise<Response> {
  let checking: Promise<boolean> | undefined;
  let last = { ready: false, at: Number.NEGATIVE_INFINITY };

  async function check(): Promise<boolean> {
    let ready = true;
    try {
      await store.check();
    } catch {
      ready = false;
    }
    last = { ready, at: clock.now() };
    return ready;
  }
  return async () => {
    if (stopping()) return unready('stopping');
    const isFresh = Math.abs(clock.now() - last.at) < SHARED;
    if (!isFresh) {
      checking ??= check().finally(() => {
        checking = undefined;
      });
    }
    const ready = isFresh ? last.ready : await checking;
    return ready ? new Response('{"status":"ready"}', { headers: HEADERS }) : unready('nothing can be counted');
  };
}

function unready(reason: string): Response {
  const body = JSON.stringify({ status: 'unavailable', reason });
  return new Response(body, { status: 503, headers: { ...HEADERS, 'retry-after': '1' } });
}
