import type { EndpointId } from '@broadsheet/contract';

/** An encoded answer and the endpoint that gave it. */
export interface ReadyAnswer {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded answers, kept ready for the next one who asks the same of the same revision. */
export interface ReadyAnswers {
  get(key: string): ReadyAnswer | undefined;
  set(key: string, answer: ReadyAnswer): void;
}

/** Keeps the answers used last, up to a number of bytes; one larger than a tenth of that is not kept. */
export function createReadyAnswers(maxBytes: number): ReadyAnswers {
  const kept = new Map<string, ReadyAnswer>();
  let size = 0;
  const costOf = (key: string, { body }: ReadyAnswer) => body.byteLength + 2 * key.length + 100;
  const forget = (key: string, answer: ReadyAnswer) => {
    kept.delete(key);
    size -= costOf(key, answer);
  };
  return {
    get(key) {
      const answer = kept.get(key);
      if (answer) {
        // Back to the end of the insertion order: the first entry is the one unused for longest.
        kept.delete(key);
        kept.set(key, answer);
      }
      return answer;
    },
    set(key, answer) {
      const cost = costOf(key, answer);
      if (cost > maxBytes / 10) return;
      const before = kept.get(key);
      if (before) forget(key, before);
      kept.set(key, answer);
      size += cost;
      for (const [oldKey, old] of kept) {
        if (size <= maxBytes) break;
        forget(oldKey, old);
      }
    },
  };
}
