/** Bytes passed to `String.fromCharCode` at a time: engines limit the number of arguments. */
const SOME = 8192;

/** Bytes as base64, with functions that every runtime has. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += SOME) {
    text += String.fromCharCode(...bytes.subarray(start, start + SOME));
  }
  return btoa(text);
}

/** Whether {@link fromBase64} can read a text. */
export function isBase64(text: string): boolean {
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws DOMException when the text is not base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
