import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { budgets } from '../../../bench/budget.ts';
import { initialSize } from './support/initial-size.ts';

const program = `import { createClient } from './src/index.ts';
  const blog = createClient({ baseUrl: 'https://blog.example', apiKey: 'key' });
  for await (const post of blog.posts.list()) console.log(post.title);`;
const root = `${import.meta.dirname}/..`;

const budget = budgets.find(({ id }) => id === 'sdk.size')?.budget ?? 0;

test('a program that lists posts weighs no more than it must', async () => {
  const kilobytes = await initialSize(program, root, ['@broadsheet/source']);
  expect(kilobytes).toBeLessThanOrEqual(budget);
  expect(kilobytes).toBeGreaterThan(5); // else the measure is wrong
  expect(await readFile(`${root}/README.md`, 'utf8')).toContain(`weighs ${budget} KB at most`);
});

test('the client brings no zod, and no part that only a failure needs', async () => {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@broadsheet/source'],
  });
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  const inputs = Object.keys(entry?.inputs ?? {}).join('\n');
  expect(inputs).toContain('src/calls/perform.ts');
  expect(inputs).not.toMatch(/node_modules\/zod|failed-answer\.ts|report-drift\.ts|explain\.ts|memory-cache\.ts/);
});

test('what is imported and not used weighs next to nothing', async () => {
  expect(await initialSize("import './src/index.ts';", root, ['@broadsheet/source'])).toBeLessThan(0.1);
  expect(
    await initialSize("import { tagsOf } from './src/index.ts'; tagsOf('posts.list');", root, ['@broadsheet/source']),
  ).toBeLessThan(1);
});
