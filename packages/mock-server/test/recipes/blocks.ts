import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const guide = resolve(import.meta.dirname, '../../../../docs/guides/testing.md');

/** Writes the files that the testing guide shows (blocks that begin with the name of a file) into a folder. */
export async function writeRecipes(folder: string): Promise<string[]> {
  const text = await readFile(guide, 'utf8');
  const names: string[] = [];
  for (const [, name = '', code = ''] of text.matchAll(/^```js\n\/\/ (\S+\.js)\n(.*?)^```$/gms)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
    names.push(name);
  }
  return names;
}

/** The guide's first block in a language that uses the control plane. */
export async function clientIn(language: 'sh' | 'python'): Promise<string> {
  const blocks = (await readFile(guide, 'utf8')).matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].find(([, of, code = '']) => of === language && code.includes('/__mock/'))?.[2] ?? '';
}
