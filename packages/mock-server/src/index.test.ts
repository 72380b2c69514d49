import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as page from './browser.ts';
import * as node from './index.ts';

test('a page has the values that Node has', () => {
  expect(Object.keys(page).sort()).toEqual(Object.keys(node).sort());
});

test('where a test environment hides the platform, the first import says what to do', async () => {
  const program = `delete globalThis.TextEncoder; await import('${new URL('./index.ts', import.meta.url)}');`;
  const args = ['--conditions=@broadsheet/source', '--input-type=module', '-e', program];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /no TextEncoder; set Jest's testEnvironment to 'jest-fixed-jsdom' or 'node'/,
  );
});
