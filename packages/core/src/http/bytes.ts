type Piece = Uint8Array<ArrayBuffer>;

/**
 * Bytes, or pieces that follow each other: large ones are not copied to put something around them. Pieces belong to
 * whom they are handed to; nobody else keeps them.
 */
export type Bytes = Piece | readonly Piece[];

const utf8 = new TextEncoder();

/** How many bytes there are. */
export function sizeOf(bytes: Bytes): number {
  return bytes instanceof Uint8Array ? bytes.byteLength : bytes.reduce((size, piece) => size + piece.byteLength, 0);
}

/** The bytes one after the other, or those of a text in UTF-8. */
export function inOnePiece(bytes: Bytes | string): Piece {
  if (typeof bytes === 'string') return utf8.encode(bytes);
  if (bytes instanceof Uint8Array) return bytes;
  const whole = new Uint8Array(sizeOf(bytes));
  let at = 0;
  for (const piece of bytes) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
