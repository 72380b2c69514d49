import { setImmediate as turn } from 'node:timers/promises';
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
