import { OutcomeUnknown } from '@broadsheet/core';
import { OperationError, type OperationProblem } from '@broadsheet/management';
import { CommanderError } from 'commander';
import { isShowing, note, printJson } from './output.ts';
import { createProgram } from './program.ts';

/** The exit code for errors that an operator can fix: a wrong flag, a broken file, a database of a newer Broadsheet. */
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

/** Ends the process when its output cannot be written. */
export function endAtOutputError(error: NodeJS.ErrnoException): never {
  // `broadsheet export … | head` must end silently. For a command that changes something, missing output is an error.
  if (error.code === 'EPIPE' && isShowing()) process.exit(0);
  note(`broadsheet: the output is not complete: ${error.message}`);
  process.exit(1);
}

function report(error: unknown): number {
  // Commander has already printed its message. Help and version also end here, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_REFUSED;
  if (error instanceof OperationError) {
    note(`broadsheet: ${describe(error.problems)}`);
    return EXIT_REFUSED;
  }
  if (error instanceof OutcomeUnknown) {
    note(`broadsheet: ${error.message}. Check it before you run the command again. If it was, this is its result:`);
    // A new key is shown only once.
    printJson(error.result ?? null);
    return 1;
  }
  const text = process.env['DEBUG'] && error instanceof Error ? error.stack : String(error);
  note(`broadsheet: unexpected: ${text}`);
  return 1;
}

/** The maximum number of problems that are printed; the rest are only counted. */
const MOST_PROBLEMS = 200;

function describe(problems: readonly OperationProblem[]): string {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ at, message }) => (at === undefined ? message : `${at}: ${message}`));
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  return lines.length === 1 ? (lines[0] ?? '') : `${problems.length} problems:\n  ${lines.join('\n  ')}`;
}
