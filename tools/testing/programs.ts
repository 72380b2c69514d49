import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** The path of a program: the value of an environment variable, or the first of the names found on the PATH. */
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

/** Chromium or Chrome; `undefined` if neither is installed. */
export const CHROMIUM = findProgram('CHROMIUM', 'chromium', 'chromium-browser', 'google-chrome');
/** Firefox; `undefined` if it is not installed. */
export const FIREFOX = findProgram('FIREFOX', 'firefox-esr', 'firefox');

// Where `.ci/install` installs them. As dependencies, they would slow down the installation for everybody.
const installed = resolve(import.meta.dirname, '../../.cache/runtimes/node_modules');
const RUNTIMES = { bun: '@oven/bun-*/bin/bun', deno: '@deno/*/deno', workerd: '@cloudflare/workerd-*/bin/workerd' };

/** A runtime other than Node: the value of `BUN`, `DENO` or `WORKERD`, or found on the PATH or where CI installs it. */
export function findRuntime(runtime: keyof typeof RUNTIMES): string | undefined {
  const [here] = globSync(RUNTIMES[runtime], { cwd: installed });
  return findProgram(runtime.toUpperCase(), runtime) ?? (here && join(installed, here));
}
