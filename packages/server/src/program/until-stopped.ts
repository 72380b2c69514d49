import { once } from 'node:events';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/**
 * Waits for a signal to stop, then for `stop`. It listens as soon as it is called, so call it before announcing that
 * the server is ready. A second signal ends the process immediately.
 */
export async function untilStopped(stop: (signal: NodeJS.Signals) => Promise<void>): Promise<void> {
  const received = SIGNALS.map((name) => once(process, name).then(() => name));
  const signal = await Promise.race(received);
  for (const name of SIGNALS) process.on(name, () => process.exit(1));
  await stop(signal);
}
