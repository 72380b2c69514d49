import { type Chunks, toBytes } from './response.ts';

const encoder = new TextEncoder();

/** A value as its JSON, in a string or in UTF-8; `before` and `after` surround it, such as the brackets of a list. */
export class Encoded<T> {
  readonly json: Chunks | string;
  readonly before: string;
  readonly after: string;
  /** Phantom property: carries only the type. */
  declare readonly value: T;

  constructor(json: Chunks | string, before = '', after = '') {
    this.json = json;
    this.before = before;
    this.after = after;
  }

  /** The JSON between two more strings; bytes are not copied. */
  within(before: string, after: string): Chunks | string {
    const start = before + this.before;
    const end = this.after + after;
    if (typeof this.json === 'string') return start + this.json + end;
    return { ...this.json, chunks: [encoder.encode(start), ...this.json.chunks, encoder.encode(end)] };
  }
}

/** Whether a value is {@link Encoded}, also by another copy of this module. */
export const isEncoded = (value: unknown): value is Encoded<unknown> => typeof Object(value).within === 'function';

/** A value, or its JSON if that exists already. */
export type MaybeEncoded<T> = T | Encoded<T>;

/** The value, decoded if necessary. */
export function decoded<T>(value: MaybeEncoded<T>): T {
  if (!isEncoded(value)) return value;
  const { json, before, after } = value;
  return JSON.parse(before + (typeof json === 'string' ? json : new TextDecoder().decode(toBytes(json))) + after);
}
