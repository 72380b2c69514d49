/** Reserves bytes until the returned function is called; `undefined` if the sender holds too many already. */
export type TakeBody = (sender: string, bytes: number) => (() => void) | undefined;

/**
 * Limits the bytes that the requests of one sender hold at the same time: each is in memory until its response is sent,
 * and a slow one for minutes. A single request is always accepted.
 */
export function createBodyBudget(maxBytes: number): TakeBody {
  const held = new Map<string, number>();
  return (sender, bytes) => {
    const before = held.get(sender) ?? 0;
    if (before > 0 && before + bytes > maxBytes) return undefined;
    held.set(sender, before + bytes);
    return () => {
      const after = (held.get(sender) ?? 0) - bytes;
      if (after > 0) held.set(sender, after);
      else held.delete(sender);
    };
  };
}
