/** Resolves in the next turn of the event loop, after everything else that is ready. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Does a step of long work, then gives other work as much time as the step took. */
export async function doStep<T>(step: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await step();
  await new Promise((resolve) => setTimeout(resolve, performance.now() - began));
  return result;
}
