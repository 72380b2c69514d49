/** An object of lists, each made when it is read: most are never looked at. */
export function lists<Name extends string, Item>(
  names: readonly Name[],
  listOf: (name: Name) => readonly Item[],
): { readonly [N in Name]: readonly Item[] } {
  const all = {} as { readonly [N in Name]: readonly Item[] };
  for (const name of names) Object.defineProperty(all, name, { enumerable: true, get: () => listOf(name) });
  return all;
}
