import { after } from './timer.ts';

/** Milliseconds until something that failed is tried again; each further wait is three times as long. */
export const FIRST = 5000;
export const LONGEST = 300_000;
/** Milliseconds until a browser that reports being online really is: Chromium fires the event slightly too early. */
export const SETTLED = 1000;

/**
 * Uses a file as soon as it has loaded. It may be on the server that is down, or the browser may be offline: it is
 * requested again after a wait, and when the browser is online again.
 */
export function whenLoaded<File>(load: () => Promise<File>, use: (file: File) => unknown, wait = FIRST): void {
  load()
    .then(use, async () => {
      await new Promise<void>((resolve) => {
        after(wait, resolve);
        addEventListener('online', () => after(SETTLED, resolve), { once: true });
      });
      whenLoaded(load, use, Math.min(wait * 3, LONGEST));
    })
    // A page works without ads, so a failure of the widget must not reach it.
    .catch(() => {});
}
