import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { AD_FORMATS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { FORMAT_DETAILS, OPENINGS } from '../src/slots/formats.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const sorted = (texts: Iterable<string>): string[] => [...texts].sort();

/** The files that the recipe "An ad format" lists. */
const recipe = [
  ...(/### An ad format\n(.*?)\n##/s.exec(read('CONTRIBUTING.md'))?.[1] ?? '').matchAll(/^\d+\. `([^`]+)`/gm),
].map(([, path = '']) => (/^(docs|examples)\//.test(path) ? path : `packages/${path}`));

/**
 * The size that `broadsheet.css` reserves for a format: `--broadsheet-size` and `--broadsheet-width` of a block of
 * rules.
 */
function reserved(css: string, format: string): Record<string, string> {
  const block = new RegExp(`\\[format="${format}" i\\],\\s*\\[data-format="${format}" i\\] \\{(.*?)\\}`, 's').exec(css);
  return Object.fromEntries(
    [...(block?.[1] ?? '').matchAll(/--broadsheet-(\w+): (?:calc\()?([\d.]+)/g)].map(([, name, em]) => [name, em]),
  );
}

test('the tables have the formats of the contract, in its order', () => {
  expect(Object.keys(OPENINGS)).toEqual([...AD_FORMATS]);
  expect(Object.keys(FORMAT_DETAILS)).toEqual([...AD_FORMATS]);
  expect(new Set(Object.values(FORMAT_DETAILS).map(({ name }) => name)).size).toBe(AD_FORMATS.length);
});

test.each(AD_FORMATS)('the style sheet reserves the box of %s', (format) => {
  const { height, width } = FORMAT_DETAILS[format].box;
  const css = read('packages/ad-widget/src/drawing/broadsheet.css');
  const standard = /--broadsheet-size, calc\(([\d.]+) \*/.exec(css)?.[1];
  const box = reserved(css, format);
  expect(Number(box['size'] ?? standard)).toBe(height);
  expect(box['width'] && Number(box['width'])).toBe(width);
});

test('the API document lists the formats', () => {
  const line = /### AdFormat \(enum\)\n\n(.*)\n/.exec(read('docs/api.md'))?.[1] ?? '';
  expect(sorted(line.match(/[A-Z]+/g) ?? [])).toEqual(sorted(AD_FORMATS));
});

test.each(['docs/guides/embed-ads.md', 'packages/ad-widget/README.md'])('%s names every format', (path) => {
  const text = read(path);
  expect(AD_FORMATS.filter((format) => !text.includes(`\`${format}\``))).toEqual([]);
});

test('the gallery has a slot of every format, and no example uses an unknown one', () => {
  const formatsIn = (path: string): string[] =>
    [...read(path).matchAll(/(?:data-)?format="(\w+)"/gi)].map(([, format = '']) => format);
  const examples = execFileSync('git', ['ls-files', 'examples', 'docs/guides'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => /\.(html|md|tsx|vue)$/.test(path) && existsSync(new URL(path, root)));
  expect(sorted(new Set(formatsIn('examples/gallery/index.html')))).toEqual(sorted(AD_FORMATS));
  expect(examples.flatMap(formatsIn).filter((format) => !(format.toUpperCase() in OPENINGS))).toEqual([]);
});

test('the recipe lists existing files, and every file that names all formats, in at most 12 steps', () => {
  expect(recipe.length).toBeGreaterThan(5);
  expect(recipe.length).toBeLessThanOrEqual(12);
  expect(recipe.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const args = ['grep', '-lw', '--all-match', ...AD_FORMATS.flatMap((format) => ['-e', format])];
  const named = execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !/\.test\.tsx?$|\.test-d\.ts$|\/test\/|^\.changeset\/|^packages\/conformance\//.test(path));
  expect(named.filter((path) => !recipe.includes(path))).toEqual([]);
});
