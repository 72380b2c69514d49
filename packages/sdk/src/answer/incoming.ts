import type { Attempt } from '../errors/error-facts.ts';

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

/**
 * What is known about an answer beside its data.
 *
 * @example
 * ```ts
 * const { ok, info } = await blog.posts.get(id).safe();
 * if (ok) console.log((info satisfies AnswerInfo).requestId, info.headers.get('etag'));
 * ```
 */
export interface AnswerInfo {
  /** Names the answer to the operator of the server. Unreadable in a browser when CORS does not expose it. */
  readonly requestId: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly attempts: readonly Attempt[];
  /** A click whose first try had reached the server although its answer was lost. */
  readonly replayed: boolean;
  /** `meta` of the envelope. */
  readonly meta: unknown;
}

/** A success. */
export interface Outcome {
  readonly data: unknown;
  readonly info: AnswerInfo;
}
