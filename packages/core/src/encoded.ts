import type { Bytes } from './bytes.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON as it is sent, in UTF-8: what a store may hand out, once, in place of the value it stands for. */
export class Encoded<T> {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #before: string;
  readonly #after: string;

  /** @param before what stands around the bytes, such as the brackets of a list */
  constructor(bytes: Uint8Array<ArrayBuffer>, before = '', after = '') {
    this.#bytes = bytes;
    this.#before = before;
    this.#after = after;
  }

  /** The JSON with something around it, in pieces: the bytes are not copied. */
  within(before: string, after: string): Bytes {
    return [encoder.encode(before + this.#before), this.#bytes, encoder.encode(this.#after + after)];
  }

  /** The value, for those who look into it; an answer only passes the bytes on. */
  decode(): T {
    return JSON.parse(this.#before + decoder.decode(this.#bytes) + this.#after);
  }
}

/** Something to be shown: a value, or its JSON where a store has that at hand. */
export type Shown<T> = T | Encoded<T>;

/** The value of something shown, in whichever form it came. */
export function decoded<T>(shown: Shown<T>): T {
  return shown instanceof Encoded ? shown.decode() : shown;
}
