/** Divides items into groups of a limited size; an item that is larger is a group of its own. */
export function* inGroups<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): Generator<readonly T[]> {
  let group: T[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (group.length > 0 && size + own > most) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(item);
    size += own;
  }
  if (group.length > 0) yield group;
}
