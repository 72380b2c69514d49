/**
 * An answer: read to its end, not yet parsed.
 *
 * @example
 * ```ts
 * const stored = new Map<string, Incoming>();
 * const cache: ResponseCache = {
 *   async read(key, tags, load) {
 *     const answer = stored.get(key) ?? (await load());
 *     if (answer.status === 200) stored.set(key, answer);
 *     return answer;
 *   },
 * };
 * ```
 */
export interface Incoming {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a successful response carries, however it was wrapped. */
export interface Payload {
  readonly data: unknown;
  readonly meta: unknown;
}
