/** Lets everything else that is ready have its turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Does a step of long work, then leaves others as much time as it took. */
export async function doStep<T>(step: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await step();
  await new Promise((resolve) => setTimeout(resolve, performance.now() - began));
  return result;
}
