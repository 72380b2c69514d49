import type { EndpointId, ErrorCode } from '@broadsheet/contract';
import type { Disruption, Fault, FaultOptions, Target } from './fault.ts';

/** What a fault does to an answer. */
export type FaultEffect =
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string | undefined }
  | { readonly kind: 'disruption'; readonly disruption: Disruption };

/** A fault that applies to the request at hand. */
export interface AppliedFault {
  readonly effect: FaultEffect;
  readonly after: boolean;
}

/** The faults of one world. */
export interface FaultBook {
  add(target: Target, effect: FaultEffect, options: FaultOptions): Fault;
  /** The fault for a request, which counts as one hit: the one set last goes first. */
  take(endpoint: EndpointId): AppliedFault | undefined;
  clear(): void;
}

interface Rule extends AppliedFault {
  readonly target: Target;
  hits: number;
  left: number;
}

/** Opens an empty book. */
export function createFaultBook(): FaultBook {
  let rules: readonly Rule[] = [];
  return {
    add(target, effect, { times = Number.POSITIVE_INFINITY, after = false }) {
      if (!(times >= 1)) throw new RangeError(`times is ${times}; a fault applies at least once`);
      const rule: Rule = { target, effect, after, hits: 0, left: times };
      rules = [rule, ...rules];
      return {
        get hits() {
          return rule.hits;
        },
        lift() {
          rules = rules.filter((other) => other !== rule);
        },
      };
    },
    take(endpoint) {
      const rule = rules.find(({ target, left }) => left > 0 && (target === '*' || target === endpoint));
      if (!rule) return undefined;
      rule.hits += 1;
      rule.left -= 1;
      return rule;
    },
    clear() {
      rules = [];
    },
  };
}
