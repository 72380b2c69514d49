import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as page from './browser.ts';
import * as node from './index.ts';

test('the browser entry point exports the same values as the Node one', () => {
  expect(Object.keys(page).sort()).toEqual(Object.keys(node).sort());
});

test('in a test environment without TextEncoder, the first import fails with advice', async () => {
  const program = `delete globalThis.TextEncoder; await import('${new URL('./index.ts', import.meta.url)}');`;
  const args = ['--conditions=@broadsheet/source', '--input-type=module', '-e', program];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /no TextEncoder; set Jest's testEnvironment to 'jest-fixed-jsdom' or 'node'/,
  );
});
