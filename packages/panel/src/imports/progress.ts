import { setImmediate as turn } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../door/guard.tsx';

/** How far an import is, for the page that waits for it. */
export interface Progress {
  readonly words: string;
  /** Without a total nobody knows how much is left. */
  readonly done?: number;
  readonly total?: number;
}

/** Takes how far an import is; resolves when other requests had their turn. */
export type Report = (progress: Progress) => Promise<void>;

const imports = new Map<string, Progress>();

/** The imports that somebody waits for, by session and by a name that the page made up. */
const keyOf = (c: PanelContext, name = ''): string => JSON.stringify([c.get('visit').session, name]);

/** How far the import of this name is; `undefined` where nothing is known of it. */
export const progressOf = (c: PanelContext): Progress | undefined => imports.get(keyOf(c, c.req.query('name')));

/** Takes the progress of this request's import, if its form says `?progress=NAME`. */
export function reportOf(c: PanelContext): Report {
  const name = c.req.query('progress');
  return async (progress) => {
    if (!name) return;
    imports.set(keyOf(c, name), progress);
    await turn();
  };
}

/** Follows a form that says `?progress=NAME`, from the first byte of its files to its answer. */
export const followImport: MiddlewareHandler<PanelEnv> = async (c, next) => {
  const name = c.req.query('progress');
  if (c.req.method !== 'POST' || !name) return next();
  const key = keyOf(c, name);
  const { body, headers } = c.req.raw;
  const total = Number(headers.get('content-length'));
  if (body && total > 0) {
    let done = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        done += part.length;
        imports.set(key, { words: 'Uploading', done, total });
        controller.enqueue(part);
      },
    });
    const counted = { body: body.pipeThrough(count), duplex: 'half' as const };
    c.req.raw = new Request(c.req.raw, counted);
  }
  try {
    return await next();
  } finally {
    imports.delete(key);
  }
};
