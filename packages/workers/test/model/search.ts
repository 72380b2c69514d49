import { inspect } from 'node:util';
import fc from 'fast-check';
import { agree } from './agree.ts';
import { type Command, command, opening } from './commands.ts';
import type { Kind } from './stores.ts';

interface Options {
  /** The seed of the first sequence; each further one has the next number. */
  readonly seed: number;
  /** The maximum number of commands in a sequence. */
  readonly length: number;
  /** Whether another sequence is begun, after a number of commands. */
  readonly more: (commands: number) => boolean;
}

/** Milliseconds for finding a shorter sequence that fails. */
const SHRINKING = 60_000;

/** Runs random sequences. @throws Error with the shortest sequence after which stores disagree, as code */
export async function findDisagreement(kinds: readonly Kind[], { seed, length, more }: Options): Promise<void> {
  const sequences = fc.noBias(
    fc
      .tuple(opening, fc.array(command, { maxLength: length, size: 'max' }))
      .map(([first, more]) => [...first, ...more]),
  );
  let count = 0;
  for (let own = seed; more(count); own += 1) {
    let failedAt: number | undefined;
    const property = fc.asyncProperty(sequences, async (commands) => {
      if (failedAt === undefined) count += commands.length;
      // A sequence that is not tried any more counts as too short to fail.
      else if (performance.now() > failedAt + SHRINKING) return;
      try {
        await agree(kinds, commands);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
    });
    const { counterexample, errorInstance } = await fc.check(property, { seed: own, numRuns: 1 });
    if (!counterexample) continue;
    throw new Error(
      `Stores disagree (seed ${own}, ${count} commands):\n${asCode(counterexample[0])}\n${errorInstance}`,
    );
  }
}

/** A sequence as code that can be pasted into a test. */
const asCode = (commands: readonly Command[]): string =>
  `await agree(kinds, [\n${commands.map((one) => `  ${inspect(JSON.parse(JSON.stringify(one)), { depth: null, breakLength: 100 })},\n`).join('')}]);`;
