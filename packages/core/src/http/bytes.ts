type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Bytes, or chunks that follow each other: large ones are not copied to put something around them. A chunk that is the
 * whole of its buffer belongs to whoever receives it; a view of a larger buffer is shared, and stays as it is.
 */
export type Bytes = Chunk | readonly Chunk[];

const utf8 = new TextEncoder();

/** How many bytes there are. */
export function sizeOf(bytes: Bytes): number {
  return [bytes].flat().reduce((size, chunk) => size + chunk.length, 0);
}

/** Chunks put together, or a text in UTF-8. */
export function toBytes(bytes: Bytes | string): Chunk {
  if (typeof bytes === 'string') return utf8.encode(bytes);
  if (bytes instanceof Uint8Array) return bytes;
  const joined = new Uint8Array(sizeOf(bytes));
  let at = 0;
  for (const chunk of bytes) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
