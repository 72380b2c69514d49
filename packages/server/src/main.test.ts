import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Runs the command on a Node that reports another version. */
function runOn(version: string) {
  const pretend = `
    Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
  const args = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, '--conditions=@broadsheet/source'];
  return promisify(execFile)(process.execPath, [...args, MAIN, '--version']);
}

it.each(['20.20.2', '22.17.9'])('the command refuses to run on Node %s with exit code 2', async (version) => {
  await expect(runOn(version)).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^broadsheet: Node 22\.18 or newer is needed, this is \d+\.\d+\.\d+; [^\n]*\n$/),
  });
});

it.each(['22.18.0', '24.0.0', '26.1.0'])('the command runs on Node %s', async (version) => {
  expect((await runOn(version)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
