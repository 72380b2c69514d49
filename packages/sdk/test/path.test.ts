import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = `${import.meta.dirname}/..`;

// Debugging a call means stepping through these files.
test('a list call passes through at most 11 files and 42 functions', async () => {
  const script = `${import.meta.dirname}/support/trace-call.ts`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@broadsheet/source', script]);
  const files = JSON.parse(stdout) as Record<string, string[]>;
  expect(Object.keys(files), 'otherwise nothing was measured').toContain('sdk/src/calls/call.ts');
  expect(Object.keys(files).length, stdout).toBeLessThanOrEqual(11);
  expect(Object.values(files).flat().length, stdout).toBeLessThanOrEqual(42);
});

test('the code of a call is one file of at most 200 lines', async () => {
  expect((await readFile(`${root}/src/calls/call.ts`, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});
