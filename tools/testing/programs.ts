import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of this machine: what an environment variable names, or the first of some names on the PATH. */
export function findProgram(variable: string, ...names: readonly string[]): string | undefined {
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
