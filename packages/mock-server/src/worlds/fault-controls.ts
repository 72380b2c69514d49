import { type AnswerOptions, type Disruption, type FaultOptions, PROFILES, type Target } from '../faults/fault.ts';
import type { FaultEffect, NewFault } from '../faults/fault-book.ts';
import { milliseconds } from '../time/duration.ts';
import { check, codeOf } from './checks.ts';
import type { World } from './world.ts';
import type { WorldContext } from './world-context.ts';

type FaultControls = Pick<World, 'fail' | 'answer' | 'disrupt' | 'sequence' | 'profile' | 'delay' | 'hold' | 'lens'>;

/** Options of any target: `when` gets the calls of that target, which the compiler cannot infer here. */
type Loose<Options> = Omit<Options, 'when'> & NewFault['options'];

/** The controls that make the responses of a world fail, late or odd. */
export function faultControls({ faults, gates, lenses }: WorldContext): FaultControls {
  const controls: FaultControls = {
    fail(target, status, given: Loose<FaultOptions> & { code?: string; message?: string } = {}) {
      check('fail', { target, ...given });
      const { code, message, ...options } = given;
      const effects = [{ code: codeOf(target, status, code), message }];
      return faults.add({ by: 'fail', target, args: [target, status], effects, options });
    },
    answer(target: Target, change: unknown, given: Loose<AnswerOptions> = {}) {
      check('answer', { target, ...given });
      const { offContract, status, headers, ...options } = given;
      if ((status ?? headers) && !offContract) throw new TypeError('answer: status and headers need offContract: true');
      const effects = [{ answer: { change, offContract, status, headers } }];
      return faults.add({ by: 'answer', target, args: [target], effects, options });
    },
    disrupt(target, disruption: Disruption, options: Loose<FaultOptions> = {}) {
      check('disrupt', { target, ...options, disruption });
      return faults.add({
        by: 'disrupt',
        target,
        args: [target, disruption],
        effects: [{ disruption }],
        options,
      });
    },
    sequence(target, steps) {
      check('sequence', { target, steps });
      const effects = steps.map((step): FaultEffect => {
        if (typeof step === 'number') return step === 200 ? {} : { code: codeOf(target, step) };
        check('disrupt', { disruption: step });
        return { disruption: step };
      });
      return faults.add({ by: 'sequence', target, args: [target, steps], effects, options: { times: steps.length } });
    },
    profile(profile, target = '*') {
      const network = typeof profile === 'string' ? { profile } : profile;
      check('profile', { target, ...network });
      const { latency = 0, p, status, disruption } = typeof profile === 'string' ? PROFILES[profile] : profile;
      const [from = 0, to = from] = [latency].flat().map(milliseconds);
      const effects = [{ latency: [from, to] as const, p, code: status && codeOf(target, status), disruption }];
      return faults.add({ by: 'profile', target, args: [profile], effects });
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
