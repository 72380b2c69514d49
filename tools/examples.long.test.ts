import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '../packages/mock-server/src/index.ts';
import { CHROMIUM } from './testing/programs.ts';

// Runs the examples that have no Vitest tests of their own, as a reader would. Those of guides are in guides.long.test.ts,
// nextjs.long.test.ts and frameworks.long.test.ts of the server.

const examples = fileURLToPath(new URL('../examples', import.meta.url));
if (!CHROMIUM) console.warn('\n*** SKIPPED: Chromium is not installed: one example is not run ***\n');

test('every example is short', () => {
  const files = globSync('*/**/*.{ts,tsx,html,astro,vue,svelte}', {
    cwd: examples,
    exclude: ['**/node_modules', '**/dist'],
  });
  expect(files.length).toBeGreaterThanOrEqual(20);
  for (const file of files) {
    expect(readFileSync(join(examples, file), 'utf8').split('\n').length, file).toBeLessThan(100);
  }
});

test('the script prints the newest posts, or the error if the key is wrong', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const script = (key: string) =>
    promisify(execFile)(
      process.execPath,
      ['--conditions=@broadsheet/source', join(examples, 'node-script/newest.ts'), '4'],
      { env: { PATH: process.env['PATH'], BROADSHEET_BASE_URL: api.url, BROADSHEET_API_KEY: key } },
    );
  const { stdout } = await script(mock.main.apiKey);
  expect(stdout.trim().split('\n')).toEqual(Array(4).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d {2}\S/)));
  await expect(script('wrong')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
});

const program = (file: string, url: string, key: string) =>
  promisify(execFile)(process.execPath, ['--conditions=@broadsheet/source', join(examples, file)], {
    env: { PATH: process.env['PATH'], BROADSHEET_BASE_URL: url, BROADSHEET_API_KEY: key },
  });

test('the program with ky prints the newest posts, and its hooks print each request and response', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const { stdout, stderr } = await program('ky/newest.ts', api.url, mock.main.apiKey);
  expect(stdout.trim().split('\n')).toHaveLength(3);
  expect(stderr.trim().split('\n')).toEqual(['→ GET /public/posts', '← 200']);
});

test('the program with OpenTelemetry prints a span for each request', async () => {
  const mock = createMock();
  await using api = await mock.listen();
  const { stdout } = await program('opentelemetry/traced.ts', api.url, mock.main.apiKey);
  expect(stdout.trim().split('\n')).toEqual(['GET /public/posts 200 ok', 'GET /public/posts/{id} 404 404']);
});

test.skipIf(!CHROMIUM)('the tests of the Playwright project pass', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(examples, '../node_modules/playwright/cli.js'), 'test', '--config', join(examples, 'playwright')],
    // Playwright has its own test runner, which needs only the condition that resolves our sources.
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_OPTIONS: '--conditions=@broadsheet/source' } },
  );
  expect(stdout).toMatch(/^\s+3 passed/m);
});
