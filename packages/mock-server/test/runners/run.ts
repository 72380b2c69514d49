import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { findRuntime } from '../../../../tools/testing/programs.ts';

const folder = resolve(import.meta.dirname, '../..');

/** The path of Bun; `undefined` where it is not installed, which is an error in CI. */
export const BUN = findRuntime('bun');
if (!BUN) {
  if (process.env['REQUIRE_RUNTIMES']) throw new Error('Bun is not installed: .ci/install shows how to get it');
  console.warn('\n*** SKIPPED: Bun is not installed: the mock is not run in it ***\n');
}

/** Runs a program in the folder of the package, outside of this runner, and returns everything that it printed. */
export function run(program: string, ...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  return new Promise((done) => {
    const env = { PATH, HOME, NODE_OPTIONS: '--conditions=@broadsheet/source', NO_COLOR: '1' };
    execFile(program, args, { cwd: folder, env }, (_, stdout, stderr) => done(stdout + stderr));
  });
}
