import { setImmediate as turn } from 'node:timers/promises';
import type { Hono, MiddlewareHandler } from 'hono';
import type { PanelEnv, Progress } from '../door/guard.tsx';
import { HEADERS } from '../door/policy.ts';

/** The imports under way that somebody waits for, by who they are and a name their page made up. */
export function createProgress() {
  const underWay = new Map<string, Progress>();

  /** Follows a form that says `?progress=NAME`, from the first byte of its files to its answer. */
  const follow: MiddlewareHandler<PanelEnv> = async function followImport(c, next) {
    const name = c.req.query('progress');
    if (c.req.method !== 'POST' || !name) return next();
    const key = keyOf(c.get('visit').session, name);
    const { body, headers } = c.req.raw;
    const total = Number(headers.get('content-length'));
    if (body && total > 0) {
      let done = 0;
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          done += part.length;
          underWay.set(key, { words: 'Sending it', done, total });
          controller.enqueue(part);
        },
      });
      const counted = { body: body.pipeThrough(count), duplex: 'half' as const };
      c.req.raw = new Request(c.req.raw, counted);
    }
    c.set('report', async (progress) => {
      underWay.set(key, progress);
      await turn();
    });
    try {
      return await next();
    } finally {
      underWay.delete(key);
    }
  };

  /** Answers with how far the import of that name is; `{}` where nothing is known of it. */
  function routes(app: Hono<PanelEnv>): void {
    app.get('/panel/:blog/import/progress', (c) => {
      const progress = underWay.get(keyOf(c.get('visit').session, c.req.query('name') ?? ''));
      return Response.json(progress ?? {}, { headers: HEADERS });
    });
  }
  return { follow, routes };
}

const keyOf = (session: string, name: string): string => JSON.stringify([session, name]);
