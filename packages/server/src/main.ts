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
  const { endAtOutputError, run } = await import('./program/run.ts');
  process.stdout.on('error', endAtOutputError);
  process.exitCode = await run(process.argv.slice(2));
} else {
  process.stderr.write(
    `broadsheet: Node 22.18 or newer is needed, this is ${process.versions.node}; "npm install --global node@24" installs one\n`,
  );
  process.exitCode = 2;
}

export {};
