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

const bundle = (minify: boolean) =>
  build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify,
    outdir: 'out',
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@broadsheet/source'],
  });

/** A warning is printed if fewer KB than this are left below the budget. */
const HEADROOM = 0.3;

/** The largest modules of the first file, in minified bytes. */
async function largestModules(): Promise<string[]> {
  const { metafile } = await bundle(true);
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  return Object.entries(entry?.inputs ?? {})
    .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    .slice(0, 10)
    .map(([name, { bytesInOutput }]) => `  ${String(bytesInOutput).padStart(6)} ${name}`);
}

test('a program that lists posts stays within the size budget', async () => {
  const kilobytes = await initialSize(program, root, ['@broadsheet/source']);
  const left = `${(budget - kilobytes).toFixed(2)} KB are left of ${budget} KB.`;
  const report = [left, 'The largest modules (minified bytes):', ...(await largestModules())].join('\n');
  if (budget - kilobytes < HEADROOM) console.warn(`\n*** sdk size: ${report}\n`);
  expect(kilobytes, report).toBeLessThanOrEqual(budget);
  expect(kilobytes).toBeGreaterThan(5); // otherwise the measurement is wrong
  expect(await readFile(`${root}/README.md`, 'utf8')).toContain(`weighs at most ${budget} KB`);
});

test('the client contains neither zod nor code that only failures need', async () => {
  const { metafile } = await bundle(false);
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  const inputs = Object.keys(entry?.inputs ?? {}).join('\n');
  expect(inputs).toContain('src/calls/call.ts');
  expect(inputs).not.toMatch(/node_modules\/zod|response-error\.ts|explain\.ts|memory-cache\.ts|response-cache\.ts/);
});

test('unused imports add almost nothing', async () => {
  expect(await initialSize("import './src/index.ts';", root, ['@broadsheet/source'])).toBeLessThan(0.1);
  expect(
    await initialSize("import { tagsOf } from './src/index.ts'; tagsOf('posts.list');", root, ['@broadsheet/source']),
  ).toBeLessThan(1);
});

test('the SDK installs nothing besides itself', async () => {
  const { dependencies, peerDependenciesMeta } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(Object.values(peerDependenciesMeta)).toEqual(Array(4).fill({ optional: true }));
});
