import type { ServerStore } from '@broadsheet/management';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** `/healthz`: the process answers. */
export function health(): Response {
  return new Response('{"status":"ok"}', { headers: HEADERS });
}

/** `/readyz`: requests can be served and counted now, which they cannot while the database is away, read-only or full, or the server stops. */
export async function readiness(store: ServerStore, stopping: boolean): Promise<Response> {
  if (stopping) return unready('stopping');
  try {
    await store.check();
  } catch {
    return unready('nothing can be counted');
  }
  return new Response('{"status":"ready"}', { headers: HEADERS });
}

function unready(reason: string): Response {
  const body = JSON.stringify({ status: 'unavailable', reason });
  return new Response(body, { status: 503, headers: { ...HEADERS, 'retry-after': '1' } });
}
