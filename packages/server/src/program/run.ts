import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { Refusal } from './refusal.ts';

/** Everything a bad request of the operator ends with: a wrong flag, a broken file, a database of a newer version. */
const EXIT_REFUSED = 2;

/** Runs one command line (without `node` and the script) and resolves to its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  // Commander printed its own message; asking for help or the version is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_REFUSED;
  if (error instanceof Refusal) {
    const [first = '', ...others] = error.problems;
    const text = others.length === 0 ? first : `${error.problems.length} problems:\n  ${error.problems.join('\n  ')}`;
    process.stderr.write(`broadsheet: ${text}\n`);
    return EXIT_REFUSED;
  }
  const text = process.env['DEBUG'] && error instanceof Error ? error.stack : String(error);
  process.stderr.write(`broadsheet: unexpected: ${text}\n`);
  return 1;
}
