/** Encoded answers, kept ready for the next one who asks the same of the same revision. */
export interface ReadyAnswers {
  get(key: string): Uint8Array | undefined;
  set(key: string, body: Uint8Array): void;
}

/** Keeps the answers used last, up to a number of bytes; one larger than a tenth of that is not kept. */
export function createReadyAnswers(maxBytes: number): ReadyAnswers {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const costOf = (key: string, body: Uint8Array) => body.byteLength + 2 * key.length + 100;
  const forget = (key: string, body: Uint8Array) => {
    kept.delete(key);
    size -= costOf(key, body);
  };
  return {
    get(key) {
      const body = kept.get(key);
      if (body) {
        // Back to the end of the insertion order: the first entry is the one unused for longest.
        kept.delete(key);
        kept.set(key, body);
      }
      return body;
    },
    set(key, body) {
      const cost = costOf(key, body);
      if (cost > maxBytes / 10) return;
      const before = kept.get(key);
      if (before) forget(key, before);
      kept.set(key, body);
      size += cost;
      for (const [oldKey, old] of kept) {
        if (size <= maxBytes) break;
        forget(oldKey, old);
      }
    },
  };
}
