/** A value, or a promise of it: memory answers at once, a database does not. */
export type Awaitable<T> = T | Promise<T>;

/** Whether there is something to wait for. Not every promise is of the global class: some libraries replace that. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}
