/**
 * Waits for a condition without an event, such as the socket, port or file of another program.
 *
 * @param what named in the error
 * @param holds throws if the condition can no longer become true
 * @param limit milliseconds
 */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>, limit = 30_000): Promise<void> {
  const end = performance.now() + limit;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${limit} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
