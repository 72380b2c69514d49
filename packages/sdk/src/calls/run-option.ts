import type { EndpointId } from '../endpoint-id.ts';
import { thrownBy } from '../errors/own-error.ts';
import type { Work } from './shared.ts';

/**
 * Runs code of the caller. What it throws becomes an error that names the option, and so does the timeout of a call that
 * waits for it. There is no name after a middleware has called `next`: the call then waits for the network.
 */
export async function runOption<T>(
  option: string | undefined,
  id: EndpointId,
  work: Work,
  run: () => T | PromiseLike<T>,
): Promise<T> {
  const outer = work.option;
  work.option = option;
  try {
    return await run();
  } catch (thrown) {
    throw thrownBy(option, id, work.phase, thrown);
  } finally {
    work.option = outer;
  }
}
