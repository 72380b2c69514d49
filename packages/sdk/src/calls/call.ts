import type { AnswerInfo, Outcome } from '../answer/incoming.ts';
import { type BroadsheetError, toBroadsheetError } from '../errors/errors.ts';

/**
 * The result of a call as a value. Both forms can be destructured: `const { ok, data, error } = await call.safe()`.
 *
 * @example
 * ```ts
 * const result: SafeResult<Post> = await blog.posts.get(id).safe();
 * console.log(result.ok ? result.data.title : result.error.code);
 * ```
 */
export type SafeResult<T, Code extends string = string> =
  | { readonly ok: true; readonly data: T; readonly error?: undefined; readonly info: AnswerInfo }
  | {
      readonly ok: false;
      readonly data?: undefined;
      readonly error: BroadsheetError<Code>;
      readonly info?: undefined;
    };

/**
 * The data of a call, and what is known about the response.
 *
 * @example
 * ```ts
 * const { data, requestId, attempts }: WithMeta<Post> = await blog.posts.get(id).withMeta();
 * console.log(data.title, requestId, attempts.length);
 * ```
 */
export interface WithMeta<T> extends Omit<AnswerInfo, 'meta'> {
  readonly data: T;
}

/**
 * A call in progress: await its data, or get its result in another form. It is sent immediately, even if it is never
 * awaited, and only once, even if it is awaited twice. It rejects with a {@link BroadsheetError}.
 *
 * @example
 * ```ts
 * const call: Call<Post> = blog.posts.get(id);
 * const post = await call; // or
 * const { ok, data, error } = await call.safe(); // or
 * const { data: same, requestId } = await call.withMeta();
 * ```
 */
export class Call<T, Code extends string = string> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #result: Promise<SafeResult<T, Code>>;

  /** @internal */
  constructor(work: () => Promise<Outcome>) {
    this.#result = settle<T, Code>(work);
  }

  /** The result without a throw; `error.code` is one of the codes of this endpoint. */
  safe(): Promise<SafeResult<T, Code>> {
    return this.#result;
  }

  /** The data with the request id, status, headers and attempts of the response. Throws as the call does. */
  async withMeta(): Promise<WithMeta<T>> {
    const result = await this.#result;
    if (!result.ok) throw result.error;
    const { meta: _meta, ...known } = result.info;
    return { data: result.data, ...known };
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise
  then<A = T, B = never>(
    resolved?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const data = this.#result.then((result) => {
      if (!result.ok) throw result.error;
      return result.data;
    });
    return data.then(resolved, rejected);
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, rejected);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.then().finally(done);
  }
}

async function settle<T, Code extends string>(work: () => Promise<Outcome>): Promise<SafeResult<T, Code>> {
  try {
    const { data, info } = await work();
    return { ok: true, data: data as T, info };
  } catch (error) {
    return { ok: false, error: toBroadsheetError(error) as BroadsheetError<Code> };
  }
}
