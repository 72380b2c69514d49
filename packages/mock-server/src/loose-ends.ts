import type { Fault } from './faults/fault.ts';
import type { Gate } from './faults/gates.ts';
import type { World } from './world.ts';

/** Watches what a test sets up in a world. @returns tells what struck nothing, and what still waits */
export function looseEnds(world: World): () => string[] {
  const faults: { readonly said: string; readonly fault: Fault }[] = [];
  const gates: { readonly said: string; readonly gate: Gate }[] = [];
  const { fail, disrupt, hold, clock } = world;
  const watched: Pick<World, 'fail' | 'disrupt' | 'hold'> = {
    fail(target, status, options) {
      const fault = fail(target, status, options);
      faults.push({ said: `fail('${target}', ${status})`, fault });
      return fault;
    },
    disrupt(target, disruption, options) {
      const fault = disrupt(target, disruption, options);
      faults.push({ said: `disrupt('${target}', '${disruption}')`, fault });
      return fault;
    },
    hold(target, options) {
      const gate = hold(target, options);
      gates.push({ said: `hold('${target}')`, gate });
      return gate;
    },
  };
  Object.assign(world, watched);
  return () => [
    ...(clock.waiting > 0 ? [`${clock.waiting} answer(s) wait for time; world.clock.advance() moves it on`] : []),
    ...gates.filter(({ gate }) => gate.held > 0).map(({ said, gate }) => `${said} holds ${gate.held} answer(s)`),
    ...faults.filter(({ fault }) => fault.hits === 0).map(({ said }) => `${said} struck no request`),
  ];
}
