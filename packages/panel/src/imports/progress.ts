import { setImmediate as turn } from 'node:timers/promises';
import type { PanelContext } from '../door/guard.tsx';

/** The progress of an import, for the page that waits for it. */
export interface Progress {
  readonly words: string;
  readonly done?: number;
  readonly total?: number;
}

/** Takes the progress of an import; resolves when other requests had their turn. */
export type Report = (progress: Progress) => Promise<void>;

const imports = new Map<string, Progress>();

/** The imports that somebody waits for, by session and by a name that the page made up. */
const keyOf = (c: PanelContext, name: string | undefined): string => JSON.stringify([c.get('visit').session, name]);

/** The progress of the import that this request names. */
export const progressOf = (c: PanelContext): Progress | undefined => imports.get(keyOf(c, c.req.query('name')));

/** Does the work of this request, whose progress is known while it lasts if its form says `?progress=NAME`. */
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
