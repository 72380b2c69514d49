import { expectTypeOf, test } from 'vitest';
import { command, type Touch } from './command.ts';

const args = {};
const run = async () => 1;
const log = (count: number) => `counted ${count}`;

test('a row says whether it changes something, what it can change, and what the log says', () => {
  command({ effect: 'read', args, run });
  command({ effect: 'write', touches: ['posts', 'labels'], args, run, log });
  command({ effect: 'write', touches: ['images'], args, run, transaction: 'own', unlogged: 'nobody sees it yet' });
  // @ts-expect-error the effect is missing
  command({ args, run });
  // @ts-expect-error what it touches is missing
  command({ effect: 'write', args, run, log });
  // @ts-expect-error a change touches something
  command({ effect: 'write', touches: [], args, run, log });
  // @ts-expect-error nothing is called that
  command({ effect: 'write', touches: ['pots'], args, run, log });
  // @ts-expect-error the log must say something, or the row why not
  command({ effect: 'write', touches: ['posts'], args, run });
  // @ts-expect-error a command that changes nothing touches nothing
  command({ effect: 'read', touches: ['posts'], args, run });
  // @ts-expect-error a command that changes nothing has nothing to log
  command({ effect: 'read', args, run, log });
  expectTypeOf<'keys' | 'images' | 'blog'>().toExtend<Touch>();
});
