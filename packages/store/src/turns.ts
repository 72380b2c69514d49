import { RUNTIME, sleep } from './runtime.ts';

/** Does a step of long work, then gives other work as much time as the step took. */
export async function doStep<T>(step: () => Promise<T>, runtime = RUNTIME): Promise<T> {
  const began = runtime.monotonic();
  const result = await step();
  await sleep(runtime, runtime.monotonic() - began);
  return result;
}
