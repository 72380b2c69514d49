import type { ErrorCode } from '@broadsheet/contract';
import type { Disruption, Fault, FaultOptions, Target } from './fault.ts';

/** What a fault does to an answer; an empty effect lets it pass. */
export interface FaultEffect {
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly disruption?: Disruption | undefined;
  readonly answer?: AnswerChange | undefined;
}

/** A network: it delays every call, and fails by its own chance. */
export interface NetworkEffect extends FaultEffect {
  /** In milliseconds, from and to. */
  readonly latency: readonly [from: number, to: number];
  readonly p?: number | undefined;
}

/** Another answer: a function of the data, or a JSON merge patch; with a status, the whole body. */
export interface AnswerChange {
  readonly change: unknown;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly offContract?: boolean | undefined;
}

/** A fault as it is set. */
export interface NewFault {
  /** The method that set it. */
  readonly by: 'fail' | 'disrupt' | 'sequence' | 'profile' | 'answer';
  readonly target: Target;
  /** The arguments of the method that describe it. */
  readonly args: readonly unknown[];
  /** One per request, and again from the first. */
  readonly effects: readonly (FaultEffect | NetworkEffect)[];
  /** A condition in `when` is a function, or values that a call has. */
  readonly options?: Omit<FaultOptions, 'when'> & { readonly when?: unknown };
}

/** A fault that was set, and what it has met so far. */
export interface FaultRule extends Required<NewFault>, Fault {
  /** Such as `fail('search', 500)`. */
  readonly words: string;
  /** Requests that it matched, whether it was applied to them or not. */
  matched: number;
  hits: number;
  lifted: boolean;
}

/** The faults of one world. */
export class FaultBook {
  /** In the order they were set. */
  rules: readonly FaultRule[] = [];

  add(fault: NewFault): Fault {
    const args = fault.args.map((arg) => JSON.stringify(arg));
    const rule: FaultRule = {
      options: {},
      ...fault,
      words: `${fault.by}(${args.join(', ').replaceAll('"', "'")})`,
      matched: 0,
      hits: 0,
      lifted: false,
      lift() {
        rule.lifted = true;
      },
    };
    this.rules = [...this.rules, rule];
    return rule;
  }

  /** The faults that were applied to no request. A network need not be. */
  unmet(): string[] {
    return this.rules.filter(({ hits, by }) => hits === 0 && by !== 'profile').map(({ words }) => words);
  }
}
