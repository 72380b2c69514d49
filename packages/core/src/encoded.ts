/** JSON as it is sent, in UTF-8: what a store may hand out in place of the value it stands for. */
export class Encoded<T> {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  /** The value, for those who look into it; an answer only passes the bytes on. */
  decode(): T {
    return JSON.parse(utf8.decode(this.bytes));
  }
}

/** Something to be shown: a value, or its JSON where a store has that at hand. */
export type Shown<T> = T | Encoded<T>;

/** The value of something shown, in whichever form it came. */
export function decoded<T>(shown: Shown<T>): T {
  return shown instanceof Encoded ? shown.decode() : shown;
}

const utf8 = new TextDecoder();
