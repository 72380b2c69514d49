import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { BenchOptions, Finding } from '../budget.ts';
import { root } from '../child.ts';
import { median } from '../median.ts';

/** The module that each program imports. */
const modules: Readonly<Record<string, string>> = {
  ky: 'ky',
  'openapi-fetch': 'openapi-fetch',
  ghost: '@tryghost/content-api',
  stripe: 'stripe',
  contentful: 'contentful',
  openai: 'openai',
};

/** CPU milliseconds of the import in a new process that has already loaded `fetch`. */
export async function imports({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('sdk.import');
  const directory = mkdtempSync(join(tmpdir(), 'sdk-import-'));
  try {
    // As published: in chunks, without the sources of other packages.
    await build({
      entryPoints: [`${root}packages/sdk/src/index.ts`],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      outdir: directory,
      outExtension: { '.js': '.mjs' },
      conditions: ['@broadsheet/source'],
      logLevel: 'silent',
    });
    const specifiers = { broadsheet: pathToFileURL(join(directory, 'index.mjs')).href, ...modules };
    const times = new Map<string, number[]>();
    for (let round = 0; round < (quick ? 5 : 15); round += 1) {
      for (const [name, specifier] of Object.entries(specifiers)) {
        const ms = importing(specifier);
        if (ms !== undefined) times.set(name, [...(times.get(name) ?? []), ms]);
      }
    }
    const figures = [...times].map(([name, values]) => [name, median(values)] as const);
    const ours = figures.find(([name]) => name === 'broadsheet')?.[1];
    if (ours === undefined) return [{ id: 'sdk.import', notMeasured: 'the client could not be imported' }];
    const others = figures.filter(([name]) => name !== 'broadsheet').map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
    return [{ id: 'sdk.import', ours, note: others.join(', ') }];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function importing(specifier: string): number | undefined {
  const program = `globalThis.Request;
const before = process.cpuUsage();
await import(${JSON.stringify(specifier)});
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);`;
  try {
    const args = ['--input-type=module', '-e', program];
    return Number(execFileSync(process.execPath, args, { cwd: `${root}bench`, encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return undefined; // not installed
  }
}
