import { type ContentProblem, quote } from '../problem.ts';

/** Items that have the same value in a field as one before them; `at` names an item by its index. */
export function repeats<K extends string>(
  items: readonly Record<K, string>[],
  field: K,
  at: (index: number) => string,
): ContentProblem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const value = item[field];
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, index);
      return [];
    }
    return [{ at: `${at(index)}.${field}`, message: `${quote(value)} is taken by ${at(before)}; give it another` }];
  });
}
