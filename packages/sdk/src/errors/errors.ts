import type { EndpointId } from '../endpoint-id.ts';
import type { FieldError } from '../generated/resources.ts';
import type { Attempt, BroadsheetErrorCode, Phase } from './error-facts.ts';

// Shared by all copies of the package in a process, so that a guard of one copy recognizes an error of another.
const KINDS = Symbol.for('@broadsheet/sdk/error');

type Details = Omit<BroadsheetError, keyof Error | 'code' | 'phase' | 'attempts' | 'toJSON'>;

/** The properties of a new error, besides its message. */
export type ErrorFacts = Pick<BroadsheetError, 'code' | 'phase'> & {
  readonly [Name in keyof Details | 'cause']?: BroadsheetError[Name] | undefined;
};

/**
 * The base class of every error of the client. `code` is stable, for use in a `switch`. `instanceof` works even when two
 * copies of the package are loaded. No property ever contains the API key.
 *
 * @example
 * ```ts
 * try {
 *   await blog.posts.get(id);
 * } catch (error) {
 *   if (error instanceof NotFoundError) return notFound();
 *   if (error instanceof BroadsheetError) console.error(error.code, error.phase, error.requestId);
 *   throw error;
 * }
 * ```
 */
export class BroadsheetError<Code extends string = BroadsheetErrorCode> extends Error {
  static readonly kind: string = 'BroadsheetError';
  /** Stable, for a `switch`: a code of the API, such as `NOT_FOUND`, or of the client, such as `TIMEOUT`. */
  declare readonly code: Code;
  declare readonly phase: Phase;
  /** The call that failed, such as `posts.get`. */
  declare readonly endpoint?: EndpointId;
  /** The HTTP status, if there was a response. */
  declare readonly status?: number;
  /** `error.type` of the API (api.md 7). */
  declare readonly type?: string;
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;
  /**
   * Whether the same call may be made again without counting anything twice: it is `retryable`, and no attempt can have
   * counted an impression. `false` after a delivery whose response was lost.
   */
  declare readonly mayRepeat: boolean;
  /** Identifies the request in the log of the server. */
  declare readonly requestId?: string;
  /** URL of a page that explains the code. */
  declare readonly docs?: string;
  /** The fields that are not valid, for `VALIDATION_ERROR`. */
  declare readonly fields?: readonly FieldError[];
  /** The start of a response that is not in the format of the API. */
  declare readonly body?: string;
  /** Milliseconds that the server asks to wait. */
  declare readonly retryAfter?: number;
  /** The attempts, in order. */
  attempts: readonly Attempt[] = [];

  /** @internal */
  constructor(message: string, facts: ErrorFacts) {
    const { cause, ...rest } = facts;
    super(message, cause === undefined ? undefined : { cause });
    const kinds: string[] = [];
    for (let at: { readonly kind?: string } = new.target; at.kind; at = Object.getPrototypeOf(at)) kinds.push(at.kind);
    // Not enumerable, so that logs do not show them.
    hide(this, 'name', kinds[0]);
    hide(this, KINDS, kinds);
    Object.assign(this, { retryable: false, mayRepeat: false });
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) Object.assign(this, { [name]: value });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit it, and `this` is the subclass
    return kindsOf(value).includes(this.kind);
  }

  /**
   * The error as plain data, for a log and for boundaries that an error does not survive with its class, such as
   * `structuredClone` and React's from server to client components: use `code` on the other side.
   *
   * @example
   * ```tsx
   * const { data, error } = await blog.posts.get(id).safe();
   * return <PostView post={data} error={error?.toJSON()} />;
   * ```
   */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

function hide(error: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

/** Reads from a value that may be anything, such as a proxy or an object whose getters throw. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function kindsOf(value: unknown): readonly string[] {
  return tryRead(() => (value as { [KINDS]?: readonly string[] } | null | undefined)?.[KINDS]) ?? [];
}

/** The message of a thrown value, which may be anything. */
export const messageOf = (thrown: unknown): string =>
  tryRead(() => (thrown instanceof Error ? thrown.message : String(thrown))) ?? 'unreadable error';

/**
 * Whether a value is an error of this client, including one from another copy of the package.
 *
 * @example
 * ```ts
 * try {
 *   await blog.posts.get(id);
 * } catch (error) {
 *   if (!isBroadsheetError(error)) throw error;
 *   console.error(error.code, error.requestId);
 * }
 * ```
 */
export function isBroadsheetError(value: unknown): value is BroadsheetError {
  return kindsOf(value).length > 0;
}
