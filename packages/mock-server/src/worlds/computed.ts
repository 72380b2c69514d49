/** An object whose values are computed each time they are read: most are never used, or change. */
export function computed<T extends object>(values: { readonly [Name in keyof T]: () => T[Name] }): T {
  const object = {} as T;
  for (const [name, get] of Object.entries(values) as [string, () => unknown][]) {
    Object.defineProperty(object, name, { enumerable: true, get });
  }
  return object;
}
