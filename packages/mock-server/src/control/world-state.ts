import type { FaultRule } from '../faults/fault-book.ts';
import type { ClosedGate } from '../faults/gates.ts';
import type { InnerWorld } from '../worlds/world-api.ts';

/** A fault that is set, by the name that commands call it. */
export interface NamedFault {
  readonly fault: string;
  readonly target: string;
  /** What it does: a status, a disruption, steps or a network. */
  readonly effect: string;
  readonly hits: number;
}

/** A gate that is closed. */
export interface NamedGate {
  readonly gate: string;
  readonly target: string;
  readonly held: number;
}

/** What is set in a world, and what happened in it. */
export const stateOf = (world: InnerWorld) => ({
  name: world.name,
  apiKey: world.apiKey,
  blog: world.blog.name,
  now: world.clock.now(),
  waiting: world.clock.waiting,
  calls: world.journal.length,
  faults: faultsOf(world),
  gates: gatesOf(world),
  unfinished: world.unfinished(),
});

/** The faults that are not lifted, oldest first. */
export const faultsOf = ({ context }: InnerWorld): NamedFault[] =>
  context.faults.rules
    .map((rule, index, { length }) => ({ rule, fault: `fault-${length - index}` }))
    .filter(({ rule }) => !rule.lifted)
    .map(({ rule, fault }) => ({ fault, target: rule.target, effect: effectOf(rule), hits: rule.hits }))
    .reverse();

/** A fault by its name: its place among all that were set since the world began. */
export function faultNamed({ context }: InnerWorld, name: string): FaultRule {
  const rules = context.faults.rules;
  const rule = rules[rules.length - Number(/^fault-(\d+)$/.exec(name)?.[1])];
  if (rule) return rule;
  const names = rules.map((_, index) => `fault-${index + 1}`);
  throw new RangeError(`there is no fault ${JSON.stringify(name)}; there are ${names.join(', ') || 'none'}`);
}

const effectOf = ({ effects }: FaultRule): string =>
  effects
    .map((effect) => {
      if ('name' in effect) return typeof effect.name === 'string' ? effect.name : JSON.stringify(effect.name);
      return effect.disruption ?? effect.status ?? 'another answer';
    })
    .join(', ');

const gateNames = new WeakMap<ClosedGate, string>();
let gates = 0;

/** The name of a gate: no two gates of a mock have the same. */
function nameOf(gate: ClosedGate): string {
  const name = gateNames.get(gate) ?? `gate-${++gates}`;
  gateNames.set(gate, name);
  return name;
}

/** The gates that are closed, oldest first. */
export const gatesOf = ({ context }: InnerWorld): NamedGate[] =>
  [...context.gates.closed].map((gate) => ({ gate: nameOf(gate), target: gate.target, held: gate.held }));

/** The closed gates of a name or, without one, of a target. */
export const gatesNamed = (
  { context }: InnerWorld,
  name: string | undefined,
  target: string | undefined,
): ClosedGate[] =>
  [...context.gates.closed].filter((gate) => (name === undefined ? gate.target === target : nameOf(gate) === name));
