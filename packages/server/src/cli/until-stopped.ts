const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Waits for the signal to stop, then for `stop`. A second signal ends the process at once. */
export async function untilStopped(stop: (signal: NodeJS.Signals) => Promise<void>): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of SIGNALS) process.once(name, resolve);
  });
  for (const name of SIGNALS) process.once(name, () => process.exit(1));
  await stop(signal);
  for (const name of SIGNALS) process.removeAllListeners(name);
}
