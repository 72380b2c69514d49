/** Calls a function of the page. Its mistakes are reported as the page's own, and stop nothing here. */
export function callPage<Args extends unknown[]>(call: (...args: Args) => void, ...args: Args): void {
  try {
    call(...args);
  } catch (cause) {
    reportError(cause);
  }
}
