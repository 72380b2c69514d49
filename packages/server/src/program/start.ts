import { enableCompileCache } from 'node:module';

/** Runs the command line of this process, as a process does and a test does not. */
export async function start(): Promise<void> {
  // Compiled code is stored between runs: a warm start takes half the time of a cold one.
  enableCompileCache();
  // node:sqlite is announced as experimental on Node 22; the notice would be the first thing an operator reads.
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) warn(warning, ...rest);
  };
  // `broadsheet export … | head` ends quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`broadsheet: the output is not complete: ${error.message}\n`);
    process.exit(1);
  });
  const { run } = await import('./run.ts');
  process.exitCode = await run(process.argv.slice(2));
}
