import { OperationError } from '@broadsheet/management';
import type { RunAlone } from '@broadsheet/panel';

/** Milliseconds that an import may take, because the imports of other blogs wait for it. */
const LONGEST = 10 * 60_000;

/**
 * Runs the imports of the panel and of `/manage` one after another: each may take the memory of a large blog. One whose
 * client is gone, or that takes longer than ten minutes, gets an aborted signal.
 */
export function createImportQueue(longest = LONGEST): RunAlone {
  let running: Promise<unknown> = Promise.resolve();
  return (client, work) => {
    const result = running.then(async () => {
      const signal = AbortSignal.any([client, AbortSignal.timeout(longest)]);
      try {
        signal.throwIfAborted();
        return await work(signal);
      } catch (error) {
        if (error !== signal.reason) throw error;
        const why = client.aborted ? 'its client disconnected' : `it took longer than ${longest / 60_000} minutes`;
        throw new OperationError(`The import was stopped because ${why}; nothing was imported.`);
      }
    });
    running = result.catch(() => {});
    return result;
  };
}
