import type { DataOf, EndpointId, ERRORS, ErrorCode, FailureCode, FailureStatus } from '@broadsheet/contract';
import type { JournalEntry } from '../journal/journal.ts';
import type { Latency } from '../time/clock.ts';

/** An endpoint, or `'*'` for all of them. */
export type FaultTarget = EndpointId | '*';

/** The failures that every endpoint may have: the failures of the endpoint with the fewest. */
type CommonCode = FailureCode<'tags.list'>;
type CodeOf<T extends FaultTarget> = T extends EndpointId ? FailureCode<T> : CommonCode;

/** The statuses with which an endpoint may fail by the contract; for `'*'`, those that all endpoints share. */
export type StatusOf<T extends FaultTarget> = T extends EndpointId ? FailureStatus<T> : FailureStatus<'tags.list'>;
/** The codes of an endpoint that have this status. */
export type CodeWith<T extends FaultTarget, S> = Extract<
  { [C in CodeOf<T>]: (typeof ERRORS)[C]['status'] extends S ? C : never }[CodeOf<T>],
  string
>;

/**
 * The ways to break a response in transit: `reset` closes the connection without a response; `cut` closes it in the
 * middle of the body; `truncate` ends the body early as if it were complete; `stall` sends headers, then nothing until
 * the caller gives up; `drip` sends the whole body in small chunks, one second apart in the world's time; `html` is the
 * page of a proxy with status 200; `wrong-type` is the correct body declared as plain text; `empty` is status 200
 * without a body.
 */
export const TRANSPORT_FAULTS = ['reset', 'cut', 'truncate', 'stall', 'drip', 'html', 'wrong-type', 'empty'] as const;
/** One of {@link TRANSPORT_FAULTS}. */
export type TransportFault = (typeof TRANSPORT_FAULTS)[number];

/** How a call fails: with a status of its contract, or in transit. */
export type Failure<T extends FaultTarget> = StatusOf<T> | TransportFault;

type CallOf<T extends FaultTarget> = JournalEntry<T extends EndpointId ? T : EndpointId>;

/** Some values of an object. */
type Matching<T> = T extends object ? { readonly [K in keyof T]?: Matching<T[K]> } : T;

/** Which calls a fault applies to. */
export interface FaultOptions<T extends FaultTarget = FaultTarget> {
  /** The number of requests it applies to; by default all of them, until it is lifted. */
  readonly times?: number;
  /** Applies to calls for which the function returns true, or which have these values: `{ query: { q: 'night' } }`. */
  readonly when?: ((call: CallOf<T>) => boolean) | Matching<CallOf<T>>;
  /** Applies to calls with this id, slug or format in their path. */
  readonly id?: string;
  /** Applies to the n-th of the matching calls, or to several of them, counted from 1. */
  readonly nth?: number | readonly number[];
  /** Applies with this probability, decided by the seed of the world: 0.1 is one call in ten. */
  readonly p?: number;
  /** The request takes effect and only its response is lost, to test that a retry does no harm. */
  readonly after?: boolean;
}

/** How a response is changed: by a function of its data and the call, or by a JSON merge patch (RFC 7396). */
export type AnswerTo<Id extends EndpointId> =
  | ((data: DataOf<Id>, call: JournalEntry<Id>) => DataOf<Id> | Promise<DataOf<Id>>)
  | MergePatch<DataOf<Id>>;

type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<T[K]> | null }
    : T;

/** Which responses change, and how; `status` and `headers` require `offContract`. */
export interface AnswerOptions<T extends EndpointId = EndpointId> extends Omit<FaultOptions<T>, 'after'> {
  /** Allows what the contract does not, such as an unknown enum value or an extra field. */
  readonly offContract?: boolean;
  /** Another status; the change is then the whole body, and a string is sent unchanged. */
  readonly status?: number;
  /** Headers to add to the response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fault that was set. */
export interface Fault {
  /** The number of requests it was applied to. */
  readonly hits: number;
  /** Ends the fault. */
  lift(): void;
}

/** The latencies of networks, from which one is selected at random for each call; in milliseconds. */
export const NETWORKS = { 'slow-3g': [1600, 2400], 'fast-3g': [400, 750], '4g': [80, 250] } as const;

/** The latency of responses: a duration, a range from which one is selected at random, or the latency of a network. */
export type Delay = Latency | keyof typeof NETWORKS;

/** What a fault does to a response; an empty effect leaves it unchanged. */
export interface FaultEffect {
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly transport?: TransportFault | undefined;
  readonly answer?: AnswerChange | undefined;
  /** Minimum and maximum, in milliseconds. */
  readonly latency?: readonly [from: number, to: number] | undefined;
}

/** A changed response: a function of the data, or a JSON merge patch; with a status, the whole body. */
export interface AnswerChange {
  readonly change: unknown;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly offContract?: boolean | undefined;
}

/** A fault that was set, and the requests that it has matched so far. */
export interface FaultRule extends Fault {
  /** The method that set it. */
  readonly by: 'fail' | 'answer' | 'delay';
  readonly target: FaultTarget;
  /** Such as `fail('search', 500)`. */
  readonly text: string;
  /** One effect per request, starting over after the last one. */
  readonly effects: readonly FaultEffect[];
  /** `when` is a function, or values that a call must have. */
  readonly options: Omit<FaultOptions, 'when'> & { readonly when?: unknown };
  /** Requests that it matched, whether it was applied to them or not. */
  matched: number;
  hits: number;
  lifted: boolean;
}
