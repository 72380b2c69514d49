import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../../..');

/** The errors of the compiler in modules that import the package by its name; an empty string without errors. */
export async function complaints(
  folder: string,
  modules: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const output = resolve(import.meta.dirname, '../../node_modules/.cache', folder);
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  for (const [name, code] of Object.entries(modules)) {
    await writeFile(resolve(output, `${name}.ts`), `${code}\nexport {};\n`);
  }
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
    noPropertyAccessFromIndexSignature: false,
    typeRoots: [resolve(root, 'node_modules/@types')],
    paths: { '@broadsheet/sdk': [resolve(import.meta.dirname, '../../src/index.ts')] },
    ...options,
  };
  const config = { extends: resolve(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(resolve(output, 'tsconfig.json'), JSON.stringify(config));
  const tsc = resolve(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['-p', output]).catch((error: { stdout: string }) => error);
  return stdout;
}

/** The blocks of TypeScript in a text of Markdown. */
export const blocksOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
