import type { FaultRule } from '../faults/fault-book.ts';
import type { ClosedGate } from '../faults/gates.ts';
import type { InnerWorld } from '../worlds/world-api.ts';

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
const faultsOf = ({ context }: InnerWorld) =>
  context.faults.rules.flatMap(({ target, words: effect, hits, lifted }, index) =>
    lifted ? [] : { fault: `fault-${index + 1}`, target, effect, hits },
  );

/** Finds a fault by its name, which holds its position among all faults of the world. */
export function faultNamed({ context }: InnerWorld, name: string): FaultRule {
  const { rules } = context.faults;
  const rule = rules[Number(/^fault-(\d+)$/.exec(name)?.[1]) - 1];
  if (rule) return rule;
  const names = rules.map((_, index) => `fault-${index + 1}`);
  throw new RangeError(`no fault is called ${JSON.stringify(name)}; expected one of ${names.join(', ') || 'none yet'}`);
}

const gateNames = new WeakMap<ClosedGate, string>();
let gates = 0;

/** The name of a gate, unique within the process. */
function nameOf(gate: ClosedGate): string {
  const name = gateNames.get(gate) ?? `gate-${++gates}`;
  gateNames.set(gate, name);
  return name;
}

/** The closed gates, oldest first. */
export const gatesOf = ({ context }: InnerWorld) =>
  [...context.gates.closed].map((gate) => ({ gate: nameOf(gate), target: gate.target, held: gate.held }));

/** The closed gates with a name or, without one, with a target. */
export const gatesNamed = (
  { context }: InnerWorld,
  name: string | undefined,
  target: string | undefined,
): ClosedGate[] =>
  [...context.gates.closed].filter((gate) => (name === undefined ? gate.target === target : nameOf(gate) === name));
