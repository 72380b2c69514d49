import type { ErrorCode } from '@broadsheet/contract';
import type { Fault, FaultOptions, FaultTarget, TransportFault } from './fault.ts';

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
  /** One per request, starting over after the last. */
  readonly effects: readonly FaultEffect[];
  /** `when` is a function, or values that a call must have. */
  readonly options: Omit<FaultOptions, 'when'> & { readonly when?: unknown };
  /** Requests that it matched, whether it was applied to them or not. */
  matched: number;
  hits: number;
  lifted: boolean;
}
