import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** A program of this machine: what an environment variable names, or the first of some names on the PATH. */
function findProgram(variable: string, ...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env[variable] ?? '', ...onPath].find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** Chromium or its like; `undefined` where there is none. */
export const CHROMIUM = findProgram('CHROMIUM', 'chromium', 'chromium-browser', 'google-chrome');
/** Firefox; `undefined` where there is none. */
export const FIREFOX = findProgram('FIREFOX', 'firefox-esr', 'firefox');

// Where `.ci/run` installs them: not among the dependencies, which everybody who runs the tests would wait for.
const installed = resolve(import.meta.dirname, '../../.cache/runtimes/node_modules');
const RUNTIMES = { bun: '@oven/bun-*/bin/bun', deno: '@deno/*/deno', workerd: '@cloudflare/workerd-*/bin/workerd' };

/** A runtime beside Node: what `BUN`, `DENO` or `WORKERD` names, else on the PATH, else where CI installs it. */
export function findRuntime(runtime: keyof typeof RUNTIMES): string | undefined {
  const [here] = globSync(RUNTIMES[runtime], { cwd: installed });
  return findProgram(runtime.toUpperCase(), runtime) ?? (here && join(installed, here));
}
