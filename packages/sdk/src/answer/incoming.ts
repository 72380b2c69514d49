import type { Attempt } from '../errors/error-facts.ts';

/**
 * A response that was read completely, and not yet parsed.
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

/** The data and meta of a successful response, with or without an envelope. */
export interface Payload {
  readonly data: unknown;
  readonly meta: unknown;
}

/**
 * What is known about a response besides its data.
 *
 * @example
 * ```ts
 * const { ok, info } = await blog.posts.get(id).safe();
 * if (ok) console.log((info satisfies AnswerInfo).requestId, info.headers.get('etag'));
 * ```
 */
export interface AnswerInfo {
  /** Identifies the request in the log of the server. A browser cannot read it unless CORS exposes it. */
  readonly requestId: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly attempts: readonly Attempt[];
  /** Whether a click had reached the server with an earlier attempt, whose response was lost. */
  readonly replayed: boolean;
  /** `meta` of the envelope. */
  readonly meta: unknown;
}

/** A success. */
export interface Outcome {
  readonly data: unknown;
  readonly info: AnswerInfo;
}
