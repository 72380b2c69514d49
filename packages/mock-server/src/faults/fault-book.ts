import type { ErrorCode } from '@broadsheet/contract';
import type { Disruption, Fault, FaultOptions, Profile, Target } from './fault.ts';
import type { ProfileName } from './profiles.ts';

/** What a fault does to an answer: a status, with a code where it has several, or a disruption. */
export interface FaultEffect {
  readonly status?: number | undefined;
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly disruption?: Disruption | undefined;
  /** A network, with a latency and with failures by its own chance. */
  readonly profile?: ProfileName | Profile;
}

/** A fault that was set, and what it has met so far. */
export interface FaultRule extends Fault {
  readonly target: Target;
  /** One after the other, and again from the first; one that has the status 200 lets a request pass. */
  readonly effects: readonly FaultEffect[];
  readonly options: FaultOptions;
  /** Requests it was meant for, whether it applied to them or not. */
  matched: number;
  hits: number;
  lifted: boolean;
}

/** The faults of one world. */
export interface FaultBook {
  /** The ones set last come first. */
  rules(): readonly FaultRule[];
  add(target: Target, effects: FaultRule['effects'], options: FaultOptions): Fault;
  /** Those that met no request, as they were set. */
  unmet(): string[];
  clear(): void;
}

/** Opens an empty book. */
export function createFaultBook(): FaultBook {
  let rules: readonly FaultRule[] = [];
  return {
    rules: () => rules,
    add(target, effects, options) {
      const lift = () => {
        rule.lifted = true;
      };
      const rule: FaultRule = { target, effects, options, matched: 0, hits: 0, lifted: false, lift };
      rules = [rule, ...rules];
      return rule;
    },
    // A network promises no request.
    unmet: () =>
      rules
        .filter(({ hits, effects: [effect] }) => !hits && !effect?.profile)
        .map(inWords)
        .reverse(),
    clear() {
      rules = [];
    },
  };
}

function inWords({ target, effects: [effect, ...more] }: FaultRule): string {
  if (more.length > 0) return `sequence('${target}')`;
  return effect?.disruption ? `disrupt('${target}', '${effect.disruption}')` : `fail('${target}', ${effect?.status})`;
}
