import type { ErrorCode } from '@broadsheet/contract';
import { type AnswerOptions, type FaultOptions, PROFILES } from '../faults/fault.ts';
import type { FaultEffect } from '../faults/fault-book.ts';
import { milliseconds } from '../time/duration.ts';
import { check, codeOf } from './checks.ts';
import type { InnerWorld } from './world-api.ts';
import type { WorldContext } from './world-context.ts';

type FaultControls = Pick<
  InnerWorld,
  'fail' | 'answer' | 'disrupt' | 'sequence' | 'profile' | 'delay' | 'hold' | 'lens'
>;

/** What makes the answers of a world fail, late or odd. */
export function faultControls({ faults, gates, lenses }: WorldContext): FaultControls {
  const controls: FaultControls = {
    fail(target, status, given = {}) {
      // Only calls of the target reach `when`, which the compiler cannot follow.
      const { code, message, ...options } = given as object as FaultOptions & { code?: ErrorCode; message?: string };
      check('fail', { target, ...given });
      const effect = { status, code: codeOf(target, status, code), message };
      return faults.add({ by: 'fail', target, effects: [effect], options });
    },
    answer(target, change, given = {}) {
      check('answer', { target, ...given });
      const { offContract, status, headers, ...options } = given as object as AnswerOptions;
      if ((status ?? headers) && !offContract) throw new TypeError('answer: status and headers need offContract: true');
      const answer = { change, offContract, status, headers };
      return faults.add({ by: 'answer', target, effects: [{ answer }], options: options as object });
    },
    disrupt(target, disruption, options = {}) {
      check('disrupt', { target, ...options, disruption });
      return faults.add({ by: 'disrupt', target, effects: [{ disruption }], options: options as object });
    },
    sequence(target, steps) {
      check('sequence', { target, steps });
      const effects = steps.map((step): FaultEffect => {
        if (typeof step === 'number') return { status: step, code: step === 200 ? undefined : codeOf(target, step) };
        check('disrupt', { disruption: step });
        return { disruption: step };
      });
      return faults.add({ by: 'sequence', target, effects, options: { times: steps.length } });
    },
    profile(profile, target = '*') {
      check('profile', { target, ...(typeof profile === 'string' ? { profile } : profile) });
      const { latency = 0, p, status, disruption } = typeof profile === 'string' ? PROFILES[profile] : profile;
      const [from = 0, to = from] = [latency].flat().map(milliseconds);
      const code = status && codeOf(target, status);
      const effect = { name: profile, latency: [from, to] as const, p, status, code, disruption };
      return faults.add({ by: 'profile', target, effects: [effect], options: {} });
    },
    delay: (target, latency) => void controls.profile({ latency }, target),
    hold(target, options = {}) {
      check('hold', { target, ...options });
      return gates.hold(target, options.times);
    },
    lens(lens, target = '*') {
      check('lens', { target, lens });
      if (lens) lenses.set(target, lens);
      else lenses.delete(target);
    },
  };
  return controls;
}
