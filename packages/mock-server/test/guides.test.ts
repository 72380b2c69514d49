import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// The code of the testing guide and of the README is compiled, so that what they show is what there is.

const root = resolve(import.meta.dirname, '../../..');
const output = resolve(import.meta.dirname, '../node_modules/.cache/guides');

/** What a block may take from the surroundings its text speaks of. */
const SURROUNDINGS = `
import type { Mock, World } from '@broadsheet/mock-server';
declare global {
  const mock: Mock;
  const world: World;
  const user: { type(input: unknown, text: string): Promise<void> };
  const input: unknown;
  function renderHome(connection: World['connection']): Promise<void>;
  function on(event: 'task', tasks: Record<string, (input: never) => unknown>): void;
}
`;

test('the code in the testing guide and in the README compiles', async () => {
  const documents = [resolve(root, 'docs/guides/testing.md'), resolve(import.meta.dirname, '../README.md')];
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  await writeFile(resolve(output, 'surroundings.d.ts'), SURROUNDINGS);
  let blocks = 0;
  for (const path of documents) {
    const text = await readFile(path, 'utf8');
    for (const [, code = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
      await writeFile(resolve(output, `block-${++blocks}.ts`), `${code}\nexport {};\n`);
    }
  }
  expect(blocks).toBeGreaterThanOrEqual(9);
  const ours = (name: string) => [resolve(root, 'packages', name)];
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [resolve(root, 'node_modules/@types')],
    paths: {
      '@broadsheet/sdk': ours('sdk/src/index.ts'),
      '@broadsheet/mock-server': ours('mock-server/src/index.ts'),
      // The same module under the name its users know.
      '@playwright/test': [resolve(root, 'node_modules/playwright/test.d.ts')],
      '@broadsheet/mock-server/*': ours('mock-server/src/*.ts'),
    },
  };
  const config = { extends: resolve(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(resolve(output, 'tsconfig.json'), JSON.stringify(config));
  const tsc = resolve(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['-p', output]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
