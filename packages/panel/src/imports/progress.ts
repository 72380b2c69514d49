import { setImmediate as turn } from 'node:timers/promises';
import { OperationError } from '@broadsheet/management';
import type { PanelContext } from '../access/visit.ts';

/** The progress of an import, for the page that shows it. */
export interface Progress {
  readonly text: string;
  readonly done?: number;
  readonly total?: number;
}

/** Reports the progress of an import; resolves after the event loop has served other requests. */
export type Report = (progress: Progress) => Promise<void>;

const imports = new Map<string, Progress>();

/** Running imports are identified by the session and a random name that the page chose. */
const keyOf = (c: PanelContext, name: string | undefined): string => JSON.stringify([c.get('visit').session, name]);

export const progressOf = (c: PanelContext): Progress | undefined => imports.get(keyOf(c, c.req.query('name')));

/** Runs the work of this request. While it runs, its progress can be read under the name in `?progress=NAME`. */
export async function withProgress<T>(c: PanelContext, work: (report: Report) => Promise<T>): Promise<T> {
  const name = c.req.query('progress');
  const key = keyOf(c, name);
  try {
    return await work(async (progress) => {
      if (name) imports.set(key, progress);
      await turn();
    });
  } finally {
    imports.delete(key);
  }
}

let running: Promise<unknown> = Promise.resolve();

/** Milliseconds that an import may take, because the imports of other blogs wait for it. */
const LONGEST = 10 * 60_000;

/**
 * Runs imports one after another: each may take the memory of a large blog. One whose client is gone, or that takes
 * longer than ten minutes, gets an aborted signal.
 *
 * @throws OperationError for an import that was stopped
 */
export function alone<T>(
  client: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  longest = LONGEST,
): Promise<T> {
  const result = running.then(async () => {
    const signal = AbortSignal.any([client, AbortSignal.timeout(longest)]);
    try {
      signal.throwIfAborted();
      return await work(signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      const why = client.aborted ? 'its client disconnected' : `it took longer than ${longest / 60_000} minutes`;
      throw new OperationError(`The import was stopped because ${why}; nothing was imported.`);
    }
  });
  running = result.catch(() => {});
  return result;
}
