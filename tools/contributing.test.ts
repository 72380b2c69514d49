import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AD_FORMATS } from '../packages/contract/src/index.ts';
import { createProgram } from '../packages/server/src/program/program.ts';
import { root } from './documents.ts';

/** Code that such a change has added before: the files that contain it belong in the list. */
interface Trace {
  readonly pattern: RegExp;
  /** Files that use the addition for other purposes and need not be listed. */
  readonly uses: readonly string[];
}

const TRACES: Readonly<Record<string, Trace>> = {
  'A field of a post': {
    pattern: /\bauthorId\b/,
    uses: [
      'conformance/src/cases',
      'conformance/src/fixture',
      'conformance/src/store',
      'content/src',
      'demo/src',
      'store/src/posts',
    ],
  },
  'A field of an ad': {
    pattern: /\blinkText\b/,
    uses: [
      ...['ad-widget/src', 'conformance/src/fixture', 'conformance/src/store', 'demo/src'],
      ...['management/src/operations/ads.ts', 'mock-server/src', 'panel/src/ads', 'panel/src/browser'],
    ],
  },
  'An ad format': { pattern: /\bNATIVE\b/, uses: ['conformance/src', 'demo/src'] },
  'A command': { pattern: /\bcommands\/stats\.ts|function stats\(blog/, uses: [] },
  'A migration': {
    pattern: /\bMIGRATIONS: |\bconst TABLES\b|_SCHEMA: SchemaDialect/,
    uses: [],
  },
};

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const chapter = /^## What a change touches\n(.*?)^## /ms.exec(text)?.[1] ?? '';
const lists = new Map(
  chapter.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), pathsOf(section)] as const),
);

/** The paths before the colon of each entry. */
function pathsOf(section: string): readonly string[] {
  const heads = [...section.matchAll(/^\d\. (.*?):/gms)].map(([, head = '']) => head);
  return heads.flatMap((head) => [...head.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path));
}

const fromRoot = (path: string): string => (existsSync(join(root, path)) ? path : `packages/${path}`);
const sources = globSync('packages/*/src/**/*.{ts,tsx,css}', { cwd: root })
  .filter((path) => !/\.test(-d)?\.tsx?$|\/generated\//.test(path))
  .map((path) => ({ path: path.slice('packages/'.length), source: readFileSync(join(root, path), 'utf8') }));

describe.each(Object.entries(TRACES))('%s', (name, { pattern, uses }) => {
  const list = lists.get(name) ?? [];

  test('has a list of files that exist', () => {
    expect(list.length).toBeGreaterThan(3);
    expect(list.filter((path) => !existsSync(join(root, fromRoot(path))))).toEqual([]);
  });

  test('has a list that names every file affected by such a change', () => {
    const found = sources.filter(({ source }) => pattern.test(source)).map(({ path }) => path);
    expect(found.length).toBeGreaterThan(1);
    const known = [...list, ...uses];
    expect(found.filter((path) => !known.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
  });
});

test('the documents listed for an ad format name all formats', () => {
  const documents = (lists.get('An ad format') ?? []).filter((path) => path.endsWith('.md'));
  expect(documents.length).toBeGreaterThan(2);
  for (const path of documents) {
    const document = readFileSync(join(root, fromRoot(path)), 'utf8');
    expect(
      AD_FORMATS.filter((format) => !document.includes(`\`${format}\``)),
      path,
    ).toEqual([]);
  }
});

test('the document listed for a command names every command', () => {
  const [path = ''] = (lists.get('A command') ?? []).filter((one) => one.endsWith('.md'));
  const document = readFileSync(join(root, fromRoot(path)), 'utf8');
  const names = createProgram().commands.map((command) => command.name());
  expect(names.filter((name) => !document.includes(`\`broadsheet ${name}\``))).toEqual([]);
});
