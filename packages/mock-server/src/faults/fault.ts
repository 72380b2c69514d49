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

/** What every endpoint may answer with: the failures of the endpoint that has the fewest. */
type CommonCode = FailureCode<'tags.list'>;
type CodeOf<T extends Target> = T extends EndpointId ? FailureCode<T> : CommonCode;

/**
 * The statuses an endpoint may fail with by the contract; for `'*'`, those all of them share.
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
 * What can happen to an answer on its way, below the API:
 * `reset` no answer, the connection breaks; `cut` the body breaks off and so does the connection; `truncate` the body
 * ends early as if it were whole; `stall` headers, then nothing until the caller gives up; `drip` the whole body in
 * small chunks, a second apart in the world's time; `html` a page of some proxy with status 200; `wrong-type` the right
 * body declared as plain text; `empty` status 200 and no body.
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
 * One step of a sequence: a status of the contract, a {@link Disruption}, or 200 for the answer as usual.
 *
 * @example
 * ```ts
 * const outage: SequenceStep<'posts.list'>[] = [503, 'reset', 200];
 * world.sequence('posts.list', outage);
 * ```
 */
export type SequenceStep<T extends Target> = StatusOf<T> | Disruption | 200;

/**
 * How a network behaves: a latency, or one drawn between two, and failures by chance.
 *
 * @example
 * ```ts
 * const train: Profile = { latency: ['200ms', '3s'], p: 0.1, disruption: 'reset' };
 * world.profile(train);
 * ```
 */
export interface Profile {
  readonly latency?: Latency;
  /** With which chance a call fails; 1 by default, where a status or a disruption is given. */
  readonly p?: number;
  readonly status?: StatusOf<'*'>;
  readonly disruption?: Disruption;
}

/** Networks by name: latency in milliseconds, and what fails by chance. */
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
 * How often a fault applies, and when.
 *
 * @example
 * ```ts
 * const lost: FaultOptions = { after: true, times: 1 };
 * world.fail('ads.click', 500, lost);
 * ```
 */
export interface FaultOptions<T extends Target = Target> {
  /** Applies to so many requests; to all of them until it is lifted, by default. */
  readonly times?: number;
  /** Applies to the calls it is true of, or those that have these values: `{ query: { q: 'night' } }`. */
  readonly when?: ((call: CallOf<T>) => boolean) | Matching<CallOf<T>>;
  /** Applies to calls with this id, slug or format in their path. */
  readonly id?: string;
  /** Applies to the n-th of these calls, or to several of them, counted from 1. */
  readonly nth?: number | readonly number[];
  /** Applies with this chance, drawn from the seed of the world: 0.1 is one call in ten. */
  readonly p?: number;
  /** The request takes effect first and only its answer is lost: tests that a repetition does no harm. */
  readonly after?: boolean;
}

/**
 * The change of an answer: a function of its data and the call, or a JSON merge patch (RFC 7396) of the data.
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
 * When an answer changes; `status` and `headers` are only for answers that are off the contract on purpose.
 *
 * @example
 * ```ts
 * const once: AnswerOptions<'tags.list'> & { offContract: true } = { offContract: true, status: 502, times: 1 };
 * world.answer('tags.list', () => '<h1>Bad gateway</h1>', once);
 * ```
 */
export interface AnswerOptions<T extends EndpointId = EndpointId> extends Omit<FaultOptions<T>, 'after'> {
  /** Sends what the contract does not allow, such as an unknown enum value or an extra field. */
  readonly offContract?: boolean;
  /** Another status; what the change returns is then the whole body, a string as it is. */
  readonly status?: number;
  /** Set beside those of the answer, such as `Retry-After`. */
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
  /** Requests it was applied to. */
  readonly hits: number;
  /** Ends it. */
  lift(): void;
}
