import { loadOnDemand } from '../load-on-demand.ts';

/**
 * Explains failures on the console. What it has to say is loaded when something fails: a page that works does not
 * carry it.
 *
 * @param address What could not be had: the API's base or an image's address.
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
