/**
 * Explains failures on the console. What it has to say is a file of its own, loaded when something fails: a page that
 * works does not carry it.
 *
 * @param address What could not be had: the API's base or an image's address.
 * @param cause What was thrown, or the element that could not be made a slot.
 */
export function explain(address: string, cause?: unknown): void {
  import('./advice.ts').then(
    ({ advise }) => advise(address, cause),
    () => console.warn('broadsheet:', address, cause),
  );
}
