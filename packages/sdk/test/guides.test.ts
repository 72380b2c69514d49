import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, complaints } from './support/compile.ts';

// The code of the guides and of the README is compiled, so that what they show is what there is.

test('the code in the guides compiles', async () => {
  const guides = ['node.md', 'nextjs.md', 'astro.md', 'cloudflare-workers.md'].map(
    (name) => `../../docs/guides/${name}`,
  );
  const modules: Record<string, string> = {};
  for (const [document, path] of [...guides, 'README.md'].entries()) {
    const blocks = blocksOf(await readFile(resolve(import.meta.dirname, '..', path), 'utf8'));
    expect(blocks, path).not.toEqual([]);
    for (const [index, code] of blocks.entries()) modules[`${document}-${index}`] = code;
  }
  expect(await complaints('guides', modules)).toBe('');
});
