/** What a write may leave out, and where an item is stored. The id is among it: a renamed file has a new one. */
const ASIDE: ReadonlySet<string> = new Set(['id', 'blogId', 'createdAt', 'updatedAt']);

/** Whether a post, category or tag that is written differs from what is stored; labels have no order. */
export function isChanged<T extends object>(before: T, after: T): boolean {
  return Object.entries(after).some(([name, value]) => {
    const old: unknown = before[name as keyof T];
    return !ASIDE.has(name) && value !== old && !(Array.isArray(value) && Array.isArray(old) && areSame(value, old));
  });
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [before, after] = [new Set(one), new Set(other)];
  return before.size === after.size && one.every((id) => after.has(id));
}
