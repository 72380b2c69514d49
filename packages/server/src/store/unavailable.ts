import { StoreUnavailable } from '@broadsheet/core';
import type { ServerStore } from './server-store.ts';

/** Makes every method of a store throw {@link StoreUnavailable} for errors of a database that is away for now. */
export function tellUnavailable(store: ServerStore, isUnavailable: (error: unknown) => boolean): ServerStore {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        try {
          const result: unknown = Reflect.apply(method, target, args);
          return result instanceof Promise ? result.catch((error) => throwUnavailable(error, isUnavailable)) : result;
        } catch (error) {
          return throwUnavailable(error, isUnavailable);
        }
      };
    },
  });
}

/** Throws an error on, as {@link StoreUnavailable} if it says that the database is away for now. */
export function throwUnavailable(error: unknown, isUnavailable: (error: unknown) => boolean): never {
  if (!isUnavailable(error)) throw error;
  const cause = error instanceof Error ? error.message : String(error);
  throw new StoreUnavailable(`The database cannot be used for now: ${cause}`, { cause: error });
}
