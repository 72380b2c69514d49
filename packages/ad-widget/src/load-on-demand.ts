/** Loads what most pages never need. */
export const loadOnDemand = () => import('./on-demand.ts');

/** Uses the file that is loaded on demand. A page works without it, so a failure to load it is ignored. */
export function onDemand(use: (file: Awaited<ReturnType<typeof loadOnDemand>>) => void): void {
  loadOnDemand().then(use, () => {});
}

/**
 * Explains failures on the console. The texts are loaded when something fails: a page that works does not carry them.
 *
 * @param address What could not be reached: the API's base URL or an image's URL.
 * @param cause What was thrown, or the element that could not be made a slot.
 */
export function explain(address: string, cause?: unknown): void {
  onDemand(({ advise }) => advise(address, cause));
}
