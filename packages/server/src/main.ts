#!/usr/bin/env node
// Check the version before importing anything, because the imports fail with a stack trace on an older Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  const { enableCompileCache } = await import('node:module');
  // Compiled code is stored between runs: a warm start takes half the time of a cold one.
  enableCompileCache();
  // Node 22 warns that node:sqlite is experimental, which would be the first thing that an operator reads.
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (rest[0] !== 'ExperimentalWarning') warn(warning, ...rest);
  };
  const args = process.argv.slice(2);
  // `broadsheet export … | head` must end silently. For a command that changes something, missing output is an error.
  const isShowing = ['export', 'openapi', 'stats'].includes(args[0] ?? '') || args[1] === 'list';
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && isShowing) process.exit(0);
    process.stderr.write(`broadsheet: the output is not complete: ${error.message}\n`);
    process.exit(1);
  });
  const { run } = await import('./program/run.ts');
  process.exitCode = await run(args);
} else {
  process.stderr.write(
    `broadsheet: Node 22.18 or newer is needed, this is ${process.versions.node}; "npm install --global node@24" installs one\n`,
  );
  process.exitCode = 2;
}

export {};
