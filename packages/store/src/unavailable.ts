import { isPromise, StoreUnavailable } from '@broadsheet/core';

/** Makes every method of a store throw {@link StoreUnavailable} for errors of a database that is away for now. */
export function reportUnavailable<T extends object>(store: T, isUnavailable: (error: unknown) => boolean): T {
  const refuse = (error: unknown) => throwUnavailable(error, isUnavailable);
  const reporting = (method: (...args: unknown[]) => unknown) => {
    return (...args: unknown[]) => {
      try {
        const result = method.apply(store, args);
        return isPromise(result) ? result.catch(refuse) : result;
      } catch (error) {
        return refuse(error);
      }
    };
  };
  return { ...store, ...Object.fromEntries(Object.entries(store).map(([name, method]) => [name, reporting(method)])) };
}

/** Throws an error on, as {@link StoreUnavailable} if it says that the database is away for now. */
export function throwUnavailable(error: unknown, isUnavailable: (error: unknown) => boolean): never {
  if (!isUnavailable(error)) throw error;
  const cause = error instanceof Error ? error.message : String(error);
  throw new StoreUnavailable(`The database cannot be used for now: ${cause}`, { cause: error });
}
