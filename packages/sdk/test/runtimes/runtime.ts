import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { launchChromium } from '../../../../tools/testing/browsers.ts';
import { CHROMIUM, findRuntime } from '../../../../tools/testing/programs.ts';
import type { Report } from './scenario.ts';

/** The runtimes the client is made for. */
export const RUNTIMES = ['node', 'bun', 'deno', 'workerd', 'chromium'] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** The executable of a runtime; `undefined` where it is not installed. */
export function find(runtime: Runtime): string | undefined {
  if (runtime === 'node') return process.execPath;
  return runtime === 'chromium' ? CHROMIUM : findRuntime(runtime);
}

/** Runs the scenario in a runtime against the server at `url`. */
export async function runIn(runtime: Runtime, executable: string, url: string): Promise<Report> {
  if (runtime === 'chromium') return inChromium(url);
  if (runtime === 'workerd') return inWorkerd(executable, url);
  const flags = { node: [], bun: ['run'], deno: ['run', '--no-config', '--allow-net', '--allow-env'] }[runtime];
  return bundled(`console.log(JSON.stringify(await run('${url}')))`, async (file) => {
    const { stdout } = await promisify(execFile)(executable, [...flags, file]);
    return JSON.parse(stdout);
  });
}

/** Bundles a program in which the names of the scenario are known, for as long as `use` takes. */
export async function bundled<T>(code: string, use: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'sdk-runtime-'));
  try {
    const file = join(directory, 'program.mjs');
    const contents = `import { createClient } from '../../src/index.ts';
import { run } from './scenario.ts';
${code}`;
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['@broadsheet/source'],
      outfile: file,
    });
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts Chromium for as long as `use` takes. */
export async function withChromium<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchChromium();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Adds a module to a page and waits until it has run, because a tag in the page does not mean that its module has run.
 */
export async function addModule(page: Page, path: string, gives: string): Promise<void> {
  await page.addScriptTag({ path, type: 'module' });
  await page.waitForFunction((name) => name in globalThis, gives);
}

function inChromium(url: string): Promise<Report> {
  return bundled('globalThis.run = run;', (path) =>
    withChromium(async (browser) => {
      const page = await browser.newPage();
      await page.goto(url);
      await addModule(page, path, 'run');
      return page.evaluate((at) => (globalThis as unknown as { run(url: string): Promise<Report> }).run(at), url);
    }),
  );
}

/** Runs the scenario in workerd, with the compatibility date that a Worker sets. */
export function inWorkerd(executable: string, url: string, day = '2026-11-01'): Promise<Report> {
  const code = `export default { fetch: async () => Response.json(await run('${url}')) };`;
  return bundled(code, async (file) => {
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "program", esModule = embed "program.mjs")],
      compatibilityDate = "${day}", globalOutbound = "out")),
    (name = "out", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;
    const path = resolve(file, '../config.capnp');
    await writeFile(path, config);
    const server = spawn(executable, ['serve', '--control-fd=3', path], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    try {
      const port = await new Promise<number>((done, failed) => {
        let said = '';
        server.stderr?.on('data', (chunk) => {
          said += chunk;
        });
        server.once('error', failed);
        server.once('exit', (code) => failed(new Error(`workerd ended with ${code}: ${said.slice(-500)}`)));
        server.stdio[3]?.on('data', (chunk) => {
          const [, found] = /"socket":"http","port":(\d+)/.exec(String(chunk)) ?? [];
          if (found) done(Number(found));
        });
      });
      const response = await fetch(`http://127.0.0.1:${port}`);
      return (await response.json()) as Report;
    } finally {
      server.kill();
    }
  });
}
