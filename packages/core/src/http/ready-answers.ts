import type { EndpointId } from '@broadsheet/contract';
import { type Bytes, sizeOf, toBytes } from './bytes.ts';

/** An encoded answer and the endpoint that gave it. */
export interface ReadyAnswer {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded answers, kept ready for the next one who asks the same of the same revision. */
export interface ReadyAnswers {
  get(key: string): ReadyAnswer | undefined;
  /** Keeps an answer whose key was offered before, not long ago. */
  offer(key: string, answer: { readonly id: EndpointId; readonly body: string | Bytes }): void;
}

/** Keys remembered as asked for once, twice over. */
const ONCE_KEPT = 2000;

interface Kept extends ReadyAnswer {
  /** Since it was last looked at for making room. */
  used: boolean;
}

/**
 * Keeps the answers that are used, up to a number of bytes; one with more than a tenth of them is not kept. What is
 * asked for once is not either: a crawler that reads every page would push out what others come back for, and bytes
 * that are dropped at once cost the garbage collector next to nothing.
 */
export function createReadyAnswers(maxBytes: number): ReadyAnswers {
  const kept = new Map<string, Kept>();
  const askedBefore = createRecentKeys(ONCE_KEPT);
  let total = 0;
  const costOf = (key: string, { body }: ReadyAnswer) => body.byteLength + 2 * key.length + 100;
  const forget = (key: string, answer: ReadyAnswer) => {
    kept.delete(key);
    total -= costOf(key, answer);
  };
  /** The oldest go first, but for one that was used there is another round, as if it were new. */
  const makeRoom = (needed: number) => {
    for (const [key, answer] of kept) {
      if (total + needed <= maxBytes) return;
      if (answer.used) {
        answer.used = false;
        kept.delete(key);
        kept.set(key, answer);
      } else forget(key, answer);
    }
  };
  return {
    get(key) {
      const answer = kept.get(key);
      if (answer) answer.used = true;
      return answer;
    },
    offer(key, { id, body }) {
      // The length of a text is near enough to that of its bytes.
      const size = typeof body === 'string' ? body.length : sizeOf(body);
      if (size > maxBytes / 10 || !askedBefore(key)) return;
      const answer = { id, body: toBytes(body), used: false };
      const before = kept.get(key);
      if (before) forget(key, before);
      const cost = costOf(key, answer);
      makeRoom(cost);
      kept.set(key, answer);
      total += cost;
    },
  };
}

/** Says of a key whether it was among the last `atLeast` to twice as many others, and remembers it. */
function createRecentKeys(atLeast: number): (key: string) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  return (key) => {
    if (newer.has(key) || older.has(key)) return true;
    newer.add(key);
    if (newer.size === atLeast) [older, newer] = [newer, new Set()];
    return false;
  };
}
