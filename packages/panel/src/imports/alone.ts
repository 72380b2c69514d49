let running: Promise<unknown> = Promise.resolve();

/** Runs imports one after another: each may take the memory of a large blog. */
export function alone<T>(work: () => Promise<T>): Promise<T> {
  const result = running.then(work);
  running = result.catch(() => {});
  return result;
}
