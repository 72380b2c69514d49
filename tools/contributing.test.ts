import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AD_FORMATS, text as letters } from '../packages/contract/src/index.ts';
import { type Actor, type CommandTable, command, position } from '../packages/management/src/commands/command.ts';
import { runCommand } from '../packages/management/src/commands/run-command.ts';
import { commandResponse, manage } from '../packages/management/src/manage/manage.ts';
import { createProgram } from '../packages/server/src/program/program.ts';
import { openStore } from '../packages/store/src/open-store.ts';
import { root } from './documents.ts';
import { temporaryFolder } from './testing/folder.ts';

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
      ...['conformance/src/cases', 'conformance/src/fixture', 'content/src', 'core/src/sources', 'demo/src'],
      'store/src/posts',
    ],
  },
  'A field of an ad': {
    pattern: /\blinkText\b/,
    uses: [
      ...['ad-widget/src', 'conformance/src/fixture', 'demo/src'],
      ...['mock-server/src', 'panel/src/ads', 'panel/src/browser'],
    ],
  },
  'An ad format': { pattern: /\bNATIVE\b/, uses: ['conformance/src', 'demo/src'] },
  // Entries of panel forms and the words for what was done are the only other places.
  'A command': { pattern: /posts\.unpublish|\bunpublish: /, uses: ['demo/src', 'panel/src/posts'] },
  'A table': {
    pattern: /\b(SCHEMA_VERSIONS|OLDER_TABLES): |\bconst TABLES\b|_SCHEMA: SchemaDialect/,
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
    expect(list.length).toBeGreaterThan(name === 'A command' ? 0 : 3);
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

test('a made-up command is one row: the command line and /manage run it', async () => {
  const commands: CommandTable = {
    'things.count': command({
      help: 'count the letters of a word',
      effect: 'read',
      scopes: ['stats'],
      args: { word: position(letters({ max: 5 }), 'the word') },
      run: async (_, { word }) => word.length,
      text: (count, { word }, blog) => `${word} of ${blog} has ${count} letters`,
    }),
  };
  const folder = temporaryFolder();
  const database = `sqlite:${folder.join('things.db')}`;
  const store = await openStore(database);
  onTestFinished(() => store.close());
  await store.createBlog({ id: 'news', name: 'News', domains: [] });
  const program = createProgram(commands, { things: 'count things' });
  const group = program.commands.find((one) => one.name() === 'things');
  expect(group?.commands[0]?.helpInformation()).toMatch(/^Usage: broadsheet things count .*<word>/);
  const printed: unknown[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(text) > 0);
  const words = ['things', 'count', 'news', 'tea', '--database', database];
  await program.parseAsync(words, { from: 'user' });
  await program.parseAsync([...words, '--json'], { from: 'user' });
  write.mockRestore();
  expect(printed).toEqual(['tea of news has 3 letters\n', '3\n']);

  const send = async (args: object, scope: Actor['scope'] = 'stats') => {
    const request = new Request('https://blog.example/manage/blogs/news/things.count', {
      method: 'POST',
      headers: { authorization: 'Bearer of-ci' },
      body: JSON.stringify(args),
    });
    const response = await manage(request, {
      commands,
      findToken: async () => ({ name: 'token ci', scope, blogId: null, isOperator: false }),
      listBlogIds: async () => ['news'],
      run: (call) => commandResponse(() => runCommand({ store, now: 0, commands }, call)),
      report: (error) => expect.unreachable(String(error)),
    });
    return [response.status, await response.text()];
  };
  expect(await send({ word: 'tea' })).toEqual([200, '{"result":3}']);
  expect(await send({ word: 'coffee' })).toEqual([400, expect.stringContaining('word')]);
  expect(await send({ word: 'tea' }, 'import')).toEqual([403, expect.stringContaining('the scope stats')]);
});

test('the README of the server names every command', () => {
  const document = readFileSync(join(root, 'packages/server/README.md'), 'utf8');
  const names = createProgram().commands.map((command) => command.name());
  expect(names.filter((name) => !document.includes(`\`broadsheet ${name}\``))).toEqual([]);
});
