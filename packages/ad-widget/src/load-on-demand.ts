import { after } from './timer.ts';

/** Milliseconds until a retry while the file on demand cannot be loaded; each further time three times as long. */
let later = 5000;

/** Loads what most pages never need. */
export const loadOnDemand = () => import('./on-demand.ts');

/**
 * Explains failures on the console. The texts are loaded when something fails: a page that works does not carry them.
 *
 * @param address What could not be reached: the API's base or an image's address.
 * @param cause What was thrown, or the element that could not be made a slot.
 * @returns `blocked` when something in the browser stops the API.
 */
export async function explain(address: string, cause?: unknown): Promise<string | undefined> {
  try {
    return await (await loadOnDemand()).advise(address, cause);
  } catch {
    console.warn('broadsheet:', address, cause);
    return undefined;
  }
}

/** Tries again later. How much later is decided in the file on demand, which a page where nothing fails does not load. */
export function retryLater(cause: unknown, retry: () => void): void {
  loadOnDemand().then(
    ({ backOff }) => backOff(cause, retry),
    () => {
      after(later, retry);
      later *= 3;
      window.addEventListener('online', retry, { once: true });
    },
  );
}
