import type { DataOf, EndpointId, ERRORS, FailureCode, FailureStatus } from '@broadsheet/contract';
import type { JournalEntry } from '../journal/journal.ts';
import type { Latency } from '../time/duration.ts';

/**
 * An endpoint, or `'*'` for all of them.
 *
 * @example
 * ```ts
 * const down = (target: Target) => world.fail(target, 503);
 * down('*');
 * ```
 */
export type Target = EndpointId | '*';

/** The failures that every endpoint may have: those of the endpoint with the fewest. */
type CommonCode = FailureCode<'tags.list'>;
type CodeOf<T extends Target> = T extends EndpointId ? FailureCode<T> : CommonCode;

/**
 * The statuses with which an endpoint may fail by the contract; for `'*'`, those that all endpoints share.
 *
 * @example
 * ```ts
 * const status: StatusOf<'ads.click'> = 409;
 * world.fail('ads.click', status);
 * ```
 */
export type StatusOf<T extends Target> = T extends EndpointId ? FailureStatus<T> : FailureStatus<'tags.list'>;
/**
 * The codes of an endpoint that have this status.
 *
 * @example
 * ```ts
 * const code: CodeWith<'ads.click', 400> = 'CLICK_TOKEN_EXPIRED';
 * world.fail('ads.click', 400, { code });
 * ```
 */
export type CodeWith<T extends Target, S extends number> = Extract<
  { [C in CodeOf<T>]: (typeof ERRORS)[C]['status'] extends S ? C : never }[CodeOf<T>],
  string
>;

/**
 * The ways to break a response in transit: `reset` closes the connection without a response; `cut` closes it in the
 * middle of the body; `truncate` ends the body early as if it were complete; `stall` sends headers, then nothing until
 * the caller gives up; `drip` sends the whole body in small chunks, one second apart in the world's time; `html` is the
 * page of a proxy with status 200; `wrong-type` is the correct body declared as plain text; `empty` is status 200
 * without a body.
 *
 * @example
 * ```ts
 * for (const disruption of DISRUPTIONS) world.disrupt('posts.list', disruption, { times: 1 });
 * ```
 */
export const DISRUPTIONS = ['reset', 'cut', 'truncate', 'stall', 'drip', 'html', 'wrong-type', 'empty'] as const;
/**
 * One of {@link DISRUPTIONS}.
 *
 * @example
 * ```ts
 * const broken: Disruption = 'cut';
 * world.disrupt('posts.list', broken);
 * ```
 */
export type Disruption = (typeof DISRUPTIONS)[number];

/**
 * One step of a sequence: a status of the contract, a {@link Disruption}, or 200 for the usual response.
 *
 * @example
 * ```ts
 * const outage: SequenceStep<'posts.list'>[] = [503, 'reset', 200];
 * world.sequence('posts.list', outage);
 * ```
 */
export type SequenceStep<T extends Target> = StatusOf<T> | Disruption | 200;

/**
 * The behaviour of a network: a latency, fixed or drawn from a range, and random failures.
 *
 * @example
 * ```ts
 * const train: Profile = { latency: ['200ms', '3s'], p: 0.1, disruption: 'reset' };
 * world.profile(train);
 * ```
 */
export interface Profile {
  readonly latency?: Latency;
  /** The probability that a call fails; 1 by default if a status or a disruption is given. */
  readonly p?: number;
  readonly status?: StatusOf<'*'>;
  readonly disruption?: Disruption;
}

/** Networks by name: latency in milliseconds, and random failures. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  'slow-3g': { latency: [1600, 2400] },
  'fast-3g': { latency: [400, 750] },
  '4g': { latency: [80, 250] },
  flaky: { p: 0.1, status: 503 },
  offline: { disruption: 'reset' },
};

/**
 * The name of a network: `slow-3g`, `fast-3g`, `4g`, `flaky` (one call in ten fails), `offline`.
 *
 * @example
 * ```ts
 * const name: ProfileName = 'slow-3g';
 * world.profile(name);
 * ```
 */
export type ProfileName = 'slow-3g' | 'fast-3g' | '4g' | 'flaky' | 'offline';

type CallOf<T extends Target> = JournalEntry<T extends EndpointId ? T : EndpointId>;

/** Some of the values of an object. */
type Matching<T> = T extends object ? { readonly [K in keyof T]?: Matching<T[K]> } : T;

/**
 * Which calls a fault applies to.
 *
 * @example
 * ```ts
 * const lost: FaultOptions = { after: true, times: 1 };
 * world.fail('ads.click', 500, lost);
 * ```
 */
export interface FaultOptions<T extends Target = Target> {
  /** The number of requests it applies to; by default all of them, until it is lifted. */
  readonly times?: number;
  /** Applies to calls for which the function returns true, or which have these values: `{ query: { q: 'night' } }`. */
  readonly when?: ((call: CallOf<T>) => boolean) | Matching<CallOf<T>>;
  /** Applies to calls with this id, slug or format in their path. */
  readonly id?: string;
  /** Applies to the n-th of the matching calls, or to several of them, counted from 1. */
  readonly nth?: number | readonly number[];
  /** Applies with this probability, drawn from the seed of the world: 0.1 is one call in ten. */
  readonly p?: number;
  /** The request takes effect and only its response is lost, to test that a retry does no harm. */
  readonly after?: boolean;
}

/**
 * The change of a response: a function of its data and the call, or a JSON merge patch (RFC 7396) of the data.
 *
 * @example
 * ```ts
 * const twoTags: AnswerTo<'tags.list'> = (tags) => tags.slice(0, 2);
 * world.answer('tags.list', twoTags);
 * ```
 */
export type AnswerTo<Id extends EndpointId> =
  | ((data: DataOf<Id>, call: JournalEntry<Id>) => DataOf<Id> | Promise<DataOf<Id>>)
  | MergePatch<DataOf<Id>>;

type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<T[K]> | null }
    : T;

/**
 * Which responses change, and how; `status` and `headers` require `offContract`.
 *
 * @example
 * ```ts
 * const once: AnswerOptions<'tags.list'> & { offContract: true } = { offContract: true, status: 502, times: 1 };
 * world.answer('tags.list', () => '<h1>Bad gateway</h1>', once);
 * ```
 */
export interface AnswerOptions<T extends EndpointId = EndpointId> extends Omit<FaultOptions<T>, 'after'> {
  /** Allows what the contract does not, such as an unknown enum value or an extra field. */
  readonly offContract?: boolean;
  /** Another status; the change is then the whole body, and a string is sent unchanged. */
  readonly status?: number;
  /** Headers to add to the response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A fault that was set.
 *
 * @example
 * ```ts
 * const fault: Fault = world.fail('posts.list', 500);
 * expect(fault.hits).toBe(0);
 * fault.lift();
 * ```
 */
export interface Fault {
  /** The number of requests it was applied to. */
  readonly hits: number;
  /** Ends the fault. */
  lift(): void;
}
