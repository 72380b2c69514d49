/** Builds resources of one kind, each of them different and valid by its schema. */
export interface Factory<T> {
  /** One resource, with the fields you care about. */
  build(fields?: Partial<T>): T;
  /** Several resources. */
  list(count: number, fields?: Partial<T> | ((index: number) => Partial<T>)): T[];
}

/** The reference time of generated data, 1 January 2026, noon UTC. Worlds start at it too. */
export const EPOCH = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** Creates a factory that calls `make` with 1, 2, 3 and so on. */
export function factory<T>(make: (index: number) => T): Factory<T> {
  let made = 0;
  const build = (fields?: Partial<T>): T => {
    made += 1;
    return { ...make(made), ...fields };
  };
  return {
    build,
    list: (count, fields) =>
      Array.from({ length: count }, (_, index) => build(typeof fields === 'function' ? fields(index) : fields)),
  };
}

const daysAgo = (days: number): string => new Date(EPOCH - days * DAY).toISOString();

/** The timestamps of the n-th resource of a kind. */
export const stamps = (n: number) => ({ createdAt: daysAgo(n + 1), updatedAt: daysAgo(n) });
