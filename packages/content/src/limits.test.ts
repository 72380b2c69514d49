import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { readContent } from './index.ts';
import { LIMITS } from './limits.ts';
import { firstSentenceOf } from './markdown/plain-text.ts';

async function problemsOf(name: string, text: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  await writeFile(folder.join(name), text);
  const read = await readContent(name.endsWith('.json') ? folder.join(name) : folder.path);
  return read.ok ? [] : read.problems.map(({ at, message }) => `${at}: ${message}`);
}
const matter = (yaml: string): string => `---\ntitle: A\n${yaml}\n---\nText.`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each([
  ['an alias of itself', 'a: &a [*a, *a, *a]'],
  [
    'aliases of aliases',
    `a0: &a0 [x]\n${Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n')}`,
  ],
  [
    'more values than there may be',
    `a: &a [${'x,'.repeat(100)}]\nb: [${'*a,'.repeat(LIMITS.frontMatterValues / 100)}]`,
  ],
  ['lists nested too deeply', `a: ${nested(LIMITS.frontMatterDepth + 1)}`],
  ['lists nested so deeply that the parser overflows', `a: ${nested(8000)}`],
  ['too many characters', `a: ${'x'.repeat(LIMITS.frontMatterLength)}`],
])('front matter has limits: %s', async (_, yaml) => {
  expect(await problemsOf('a.md', matter(yaml))).toEqual([
    expect.stringMatching(/^a\.md:\d+(:\d+)?: the front matter (has more than|is too deeply nested|is not YAML)/),
  ]);
});

it.each([
  ['values', `a: &a [${'x,'.repeat(100)}]\nb: [${'*a,'.repeat(LIMITS.frontMatterValues / 100 - 5)}]`],
  ['levels', `a: ${nested(LIMITS.frontMatterDepth - 10)}`],
  ['characters', `a: ${'x'.repeat(LIMITS.frontMatterLength - 100)}`],
])('front matter with nearly as many %s as it may have is read', async (_, yaml) => {
  expect((await problemsOf('a.md', matter(yaml))).filter((problem) => problem.includes('the front matter'))).toEqual(
    [],
  );
});

it.each([LIMITS.frontMatterDepth + 1, 5000])('front matter in TOML has limits: %i levels', async (depth) => {
  const problems = await problemsOf('a.md', `+++\ntitle = "A"\na = ${nested(depth)}\n+++\nText.`);
  expect(problems).toEqual([expect.stringMatching(/^a\.md:\d+(:\d+)?: the front matter (has more than|is not TOML)/)]);
});

it('a folder that takes too long to read is refused', async () => {
  const folder = temporaryFolder();
  await writeFile(folder.join('a.md'), matter('tags: x'));
  const read = await readContent(folder.path, { signal: AbortSignal.abort() });
  expect(read).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('takes too long') }] });
});

it('front matter may use aliases', async () => {
  expect(await problemsOf('a.md', matter('x: &x [a, b]\ntags: *x'))).toEqual([]);
});

it.each([
  ['whole', (depth: number) => nested(depth)],
  ['cut off', (depth: number) => '['.repeat(depth)],
  ['within a snapshot', (depth: number) => `{"blogs": [], "more": ${nested(depth)}}`],
])('JSON must not be nested too deeply: %s', async (_, json) => {
  for (const depth of [LIMITS.jsonDepth + 1, 50_000, 500_000])
    expect(await problemsOf('a.json', json(depth))).toHaveLength(1);
  const levels = (depth: number) => `{"blogs": [], "more": ${nested(depth)}}`;
  expect(await problemsOf('a.json', levels(LIMITS.jsonDepth - 1))).toEqual(['a.json: unknown: more']);
  expect(await problemsOf('a.json', levels(50_000))).toEqual(['a.json: is nested more than 100 levels deep']);
});

it('a report names problems up to a limit and counts the rest', async () => {
  const posts = Array.from({ length: 20_000 }, () => ({ id: 'same', slug: 'same', title: 'A', tagIds: ['nowhere'] }));
  const problems = await problemsOf('a.json', JSON.stringify({ blogs: [{ id: 'b', name: 'B', posts }] }));
  expect(problems).toHaveLength(LIMITS.problems + 1);
  expect(problems.at(-1)).toBe('a.json: has 58998 more problems');
});

it.each(['{%', '{{<', '{/*', '[', '![', '*a', '<a ', '`', '> ', '- ', '&', '\\', '_', '|', '[a](', '~', '# '])(
  'a text of many repeated %j does not slow down the search for its first sentence',
  (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    expect(firstSentenceOf(text, 'md').length).toBeLessThanOrEqual(300);
  },
  5000,
);
