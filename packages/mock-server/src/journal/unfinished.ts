import type { Fault } from '../faults/fault.ts';
import type { Gate } from '../faults/gates.ts';
import type { World } from '../worlds/world.ts';

/** Watches what a test sets up in a world. @returns a report of the faults that met no request, and of what still waits */
export function unfinished(world: World): () => string[] {
  const faults: { readonly description: string; readonly fault: Fault }[] = [];
  const gates: { readonly description: string; readonly gate: Gate }[] = [];
  const { fail, disrupt, hold, clock } = world;
  const watched: Pick<World, 'fail' | 'disrupt' | 'hold'> = {
    fail(target, status, options) {
      const fault = fail(target, status, options);
      faults.push({ description: `fail('${target}', ${status})`, fault });
      return fault;
    },
    disrupt(target, disruption, options) {
      const fault = disrupt(target, disruption, options);
      faults.push({ description: `disrupt('${target}', '${disruption}')`, fault });
      return fault;
    },
    hold(target, options) {
      const gate = hold(target, options);
      gates.push({ description: `hold('${target}')`, gate });
      return gate;
    },
  };
  Object.assign(world, watched);
  return () => [
    ...(clock.waiting > 0 ? [`${clock.waiting} answer(s) wait for time; world.clock.advance() moves it on`] : []),
    ...gates
      .filter(({ gate }) => gate.held > 0)
      .map(({ description, gate }) => `${description} holds ${gate.held} answer(s)`),
    ...faults.filter(({ fault }) => fault.hits === 0).map(({ description }) => `${description} met no request`),
  ];
}
