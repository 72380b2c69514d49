/**
 * An answer, read whole and not yet understood.
 *
 * @example
 * ```ts
 * const kept = new Map<string, Incoming>();
 * const cache: ResponseCache = {
 *   async read(key, tags, load) {
 *     const answer = kept.get(key) ?? (await load());
 *     if (answer.status === 200) kept.set(key, answer);
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
