import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// The code of the guides and of the README is compiled, so that what they show is what there is.

const root = resolve(import.meta.dirname, '../../..');
const output = resolve(import.meta.dirname, '../node_modules/.cache/guides');

test('the code in the guides compiles', async () => {
  const guides = resolve(root, 'docs/guides');
  const ours = ['node.md', 'nextjs.md', 'astro.md', 'cloudflare-workers.md'];
  expect(await readdir(guides)).toEqual(expect.arrayContaining(ours));
  const documents = [...ours.map((name) => resolve(guides, name)), resolve(import.meta.dirname, '../README.md')];
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  let blocks = 0;
  for (const [index, path] of documents.entries()) {
    const text = await readFile(path, 'utf8');
    for (const [, code = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
      await writeFile(resolve(output, `${index}-${blocks++}.ts`), `${code}\nexport {};\n`);
    }
  }
  expect(blocks).toBeGreaterThanOrEqual(7);
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    noPropertyAccessFromIndexSignature: false,
    typeRoots: [resolve(root, 'node_modules/@types')],
    paths: { '@broadsheet/sdk': [resolve(import.meta.dirname, '../src/index.ts')] },
  };
  const config = { extends: resolve(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(resolve(output, 'tsconfig.json'), JSON.stringify(config));
  const tsc = resolve(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['-p', output]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
