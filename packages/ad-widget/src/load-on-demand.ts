/** Loads what most pages never need. */
export const loadOnDemand = () => import('./on-demand.ts');

/**
 * Explains failures on the console. The texts are loaded when something fails: a page that works does not carry them.
 *
 * @param address What could not be reached: the API's base or an image's address.
 * @param cause What was thrown, or the element that could not be made a slot.
 */
export function explain(address: string, cause?: unknown): void {
  loadOnDemand().then(
    ({ advise }) => advise(address, cause),
    () => console.warn('broadsheet:', address, cause),
  );
}
