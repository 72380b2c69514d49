import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { samplePost } from '../support/samples.ts';
import { envelope, json, serve } from '../support/serve.ts';
import type { Report } from './scenario.ts';

// The same program with the same answers in every runtime. BUN, DENO, WORKERD and CHROMIUM may name the executables;
// otherwise they are looked for on the PATH. One that is absent is skipped, and said to be.

const run = promisify(execFile);

const expected = {
  ok: 'gave 1',
  flaky: 'gave 1',
  stall: 'TIMEOUT in body',
  cut: 'RESPONSE_CUT in body',
  html: 'RESPONSE_NOT_JSON in parse',
  redirect: 'REDIRECT_REFUSED in answer',
  refused: 'NETWORK_ERROR in connect',
  abort: 'ABORTED in connect',
} satisfies Report;

function find(name: string): string | undefined {
  const named = process.env[name.toUpperCase()];
  const places = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, name));
  return [...(named ? [named] : []), ...places].find((path) => existsSync(path));
}

async function ugly(): Promise<{ url: string; other: { seen: readonly unknown[] } }> {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const other = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }, cors));
  let tries = 0;
  const { url } = await serve(({ url: path }, response) => {
    const [, name] = path.split('/');
    const head = { 'content-type': 'application/json', ...cors };
    if (name === 'ok') return json(response, 200, { success: true, data: samplePost('1') });
    if (name === 'flaky') {
      const failing = tries++ % 2 === 0;
      return failing
        ? json(response, 503, envelope(503, 'UNAVAILABLE'))
        : json(response, 200, { success: true, data: samplePost('1') });
    }
    if (name === 'stall') return void response.writeHead(200, head).write('{"success":true,');
    if (name === 'cut') {
      response.writeHead(200, { ...head, 'content-length': '1000' }).write('{"success":true,');
      return void setTimeout(() => response.destroy(), 50);
    }
    if (name === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    if (name === 'redirect') return void response.writeHead(302, { location: `${other.url}/`, ...cors }).end();
    if (name === undefined || name === '')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title>');
  });
  return { url, other };
}

async function bundle(code: string): Promise<{ directory: string; file: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'sdk-runtime-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'program.mjs');
  await build({
    stdin: { contents: `import { run } from './scenario.ts';\n${code}`, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@broadsheet/source'],
    outfile: file,
  });
  return { directory, file };
}

async function check(runtime: (url: string) => Promise<Report>): Promise<void> {
  const { url, other } = await ugly();
  expect(await runtime(url)).toEqual(expected);
  expect(other.seen).toEqual([]);
}

const print = (url: string): string => `console.log(JSON.stringify(await run('${url}')))`;

async function command(executable: string, args: readonly string[], url: string): Promise<Report> {
  const { file } = await bundle(print(url));
  const { stdout } = await run(executable, [...args, file]);
  return JSON.parse(stdout);
}

function runtimeTest(name: string, runtime: (executable: string, url: string) => Promise<Report>): void {
  const executable = name === 'node' ? process.execPath : find(name);
  if (!executable) console.warn(`\n*** SKIPPED: ${name} is not installed: the client is not run in it ***\n`);
  test.skipIf(!executable)(`the client behaves the same in ${name}`, { timeout: 60_000 }, () =>
    check((url) => runtime(executable ?? '', url)),
  );
}

runtimeTest('node', (executable, url) => command(executable, [], url));
runtimeTest('bun', (executable, url) => command(executable, ['run'], url));
runtimeTest('deno', (executable, url) =>
  command(executable, ['run', '--no-config', '--allow-net', '--allow-env'], url),
);

runtimeTest('chromium', async (executablePath, url) => {
  const { file } = await bundle('globalThis.run = run;');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.addScriptTag({ path: file, type: 'module' });
    return await page.evaluate((at) => (globalThis as unknown as { run(url: string): Promise<Report> }).run(at), url);
  } finally {
    await browser.close();
  }
});

runtimeTest('workerd', async (executable, url) => {
  const { directory } = await bundle(`export default { fetch: async () => Response.json(await run('${url}')) };`);
  const port = await freePort();
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "program", esModule = embed "program.mjs")],
      compatibilityDate = "2025-11-01", globalOutbound = "out")),
    (name = "out", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`;
  await writeFile(resolve(directory, 'config.capnp'), config);
  const server = spawn(executable, ['serve', resolve(directory, 'config.capnp')], { stdio: 'ignore' });
  onTestFinished(() => void server.kill());
  const response = await vi.waitUntil(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined), {
    timeout: 30_000,
  });
  return (await response.json()) as Report;
});

async function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
