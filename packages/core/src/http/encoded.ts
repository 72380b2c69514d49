import { type Bytes, toBytes } from './bytes.ts';

const encoder = new TextEncoder();

/** JSON as it is sent, a text or its UTF-8: what may be handed out, once, in place of the value it stands for. */
export class Encoded<T> {
  readonly json: Bytes | string;
  /** What stands around the JSON, such as the brackets of a list. */
  readonly before: string;
  readonly after: string;
  /** The value it stands for: it has a type, and no place here. */
  declare readonly value: T;

  constructor(json: Bytes | string, before = '', after = '') {
    this.json = json;
    this.before = before;
    this.after = after;
  }

  /** The JSON with something more around it; bytes are not copied, but become one of several chunks. */
  within(before: string, after: string): Bytes | string {
    const start = before + this.before;
    const end = this.after + after;
    return typeof this.json === 'string'
      ? start + this.json + end
      : [encoder.encode(start), this.json, encoder.encode(end)].flat();
  }
}

/** A value, or its JSON where that is at hand. */
export type MaybeEncoded<T> = T | Encoded<T>;

/** The value, in whichever form it comes. */
export function decoded<T>(value: MaybeEncoded<T>): T {
  if (!(value instanceof Encoded)) return value;
  const { json, before, after } = value;
  return JSON.parse(before + (typeof json === 'string' ? json : new TextDecoder().decode(toBytes(json))) + after);
}
