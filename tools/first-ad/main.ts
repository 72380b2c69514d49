import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launchChromium } from '../testing/browsers.ts';
import { firstAd } from './first-ad.ts';
import { programsIn } from './programs.ts';
import { chromiumReader } from './readers.ts';

// `pnpm first-ad`: from an empty folder to an ad that a reader has seen and a sponsor can check.

const MAIN = resolve(import.meta.dirname, '../../packages/server/src/main.ts');
const PROGRAM = [process.execPath, '--conditions=@broadsheet/source', MAIN];

const folder = await mkdtemp(join(tmpdir(), 'broadsheet-first-ad-'));
const begin = performance.now();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${seconds(start).padStart(8)}  ${name}`);
  return result;
}

const browser = await step('open a browser', launchChromium);
try {
  const reader = chromiumReader(browser);
  const figures = await firstAd({ folder, programs: programsIn(folder, PROGRAM), reader, step });
  console.log(`${seconds(begin).padStart(8)}  in all, and the sponsor reads ${JSON.stringify(figures)}`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
