/** Milliseconds after which a history is short enough. */
const PATIENCE = 20_000;

/** Removes items from a list as long as it still fails: first halves, then ever smaller parts, then single items. */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  const end = performance.now() + PATIENCE;
  let left = items;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < left.length && performance.now() < end; ) {
      const fewer = [...left.slice(0, start), ...left.slice(start + size)];
      if (fewer.length < left.length && (await fails(fewer))) left = fewer;
      else start += size;
    }
  }
  return left;
}
