const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Waits for the signal to stop, then for `stop`. It listens from the call on, so call it before announcing that the
 * server is ready. A second signal ends the process at once.
 */
export async function untilStopped(stop: (signal: NodeJS.Signals) => Promise<void>): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    const first = (name: NodeJS.Signals) => {
      for (const each of SIGNALS) {
        process.off(each, first);
        process.on(each, stopAtOnce);
      }
      resolve(name);
    };
    for (const name of SIGNALS) process.on(name, first);
  });
  await stop(signal);
  for (const name of SIGNALS) process.off(name, stopAtOnce);
}

function stopAtOnce(): never {
  process.exit(1);
}
