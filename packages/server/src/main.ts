#!/usr/bin/env node
// Nothing may be imported before the version is known: an older Node lacks what the rest imports, and ends with a stack.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  const { start } = await import('./program/start.ts');
  await start();
} else {
  process.stderr.write(
    `broadsheet: Node 22.18 or newer is needed, this is ${process.versions.node}; "npm install --global node@24" installs one, or run: npx -y -p node@24 -p @broadsheet/server -- broadsheet\n`,
  );
  process.exitCode = 2;
}

export {};
