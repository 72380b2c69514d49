import type { ErrorCode } from '@broadsheet/contract';
import type { Disruption, Fault, FaultOptions, Profile, ProfileName, Target } from './fault.ts';

/** What a fault does to an answer; status 200 lets it pass. */
export interface FaultEffect {
  readonly status?: number | undefined;
  /** The code of the status. */
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly disruption?: Disruption | undefined;
  readonly answer?: AnswerChange | undefined;
}

/** A network: it delays every call, and fails by its own chance. */
export interface NetworkEffect extends FaultEffect {
  readonly name: ProfileName | Profile;
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
  /** One per request, and again from the first. */
  readonly effects: readonly (FaultEffect | NetworkEffect)[];
  readonly options: FaultOptions;
}

/** A fault that was set, and what it has met so far. */
export interface FaultRule extends NewFault, Fault {
  /** Requests it was meant for, whether it applied to them or not. */
  matched: number;
  hits: number;
  lifted: boolean;
}

/** The faults of one world. */
export class FaultBook {
  /** The ones set last come first. */
  rules: readonly FaultRule[] = [];

  add(fault: NewFault): Fault {
    const lift = () => {
      rule.lifted = true;
    };
    const rule: FaultRule = { ...fault, matched: 0, hits: 0, lifted: false, lift };
    this.rules = [rule, ...this.rules];
    return rule;
  }

  /** Those that met no request, as they were set. A network promises no request. */
  unmet(): string[] {
    const unmet = this.rules.filter(({ hits, by }) => hits === 0 && by !== 'profile');
    return unmet.map(inWords).reverse();
  }
}

function inWords({ by, target, effects: [effect] }: FaultRule): string {
  const what = by === 'fail' ? `, ${effect?.status}` : by === 'disrupt' ? `, '${effect?.disruption}'` : '';
  return `${by}('${target}'${what})`;
}
