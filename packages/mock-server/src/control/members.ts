import type { Fault } from '../faults/fault.ts';
import type { Gate } from '../faults/gates.ts';
import type { WorldClock } from '../time/clock.ts';
import type { WorldControls } from '../worlds/world.ts';

/** The kind of a member of an object: a value, or a method with the kind of its result. */
export type Kind = 'value' | 'result' | 'fault' | 'gate' | 'request';

type KindOf<Member> = Member extends (...args: never) => infer Result
  ? Result extends Fault
    ? 'fault'
    : Result extends Gate
      ? 'gate'
      : Result extends Promise<Request>
        ? 'request'
        : 'result'
  : 'value';

type Members<T> = { readonly [Name in keyof T]: KindOf<T[Name]> };

const world: Members<WorldControls<'here'>> = {
  blog: 'value',
  put: 'result',
  remove: 'result',
  visitAs: 'result',
  fail: 'fault',
  answer: 'fault',
  delay: 'fault',
  hold: 'gate',
  lens: 'result',
  calls: 'value',
  journal: 'value',
  ad: 'result',
  tokens: 'value',
  preview: 'result',
  webhook: 'request',
  offContract: 'value',
  assertOnContract: 'result',
  forgive: 'result',
  unfinished: 'result',
  reset: 'result',
  snapshot: 'result',
  restore: 'result',
};
const clock: Members<WorldClock> = { now: 'result', advance: 'result', waiting: 'value' };
const fault: Members<Fault> = { hits: 'value', lift: 'result' };
const gate: Members<Gate> = { held: 'value', arrived: 'result', release: 'result' };

/**
 * The members of a world, and of its clock, faults and gates, that another process may use. The compiler compares this
 * list with them.
 */
export const MEMBERS: Readonly<Record<'world' | 'clock' | 'fault' | 'gate', Readonly<Record<string, Kind>>>> = {
  ...{ world, clock, fault, gate },
};
