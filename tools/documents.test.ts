import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { budgets } from '../bench/budget.ts';
import { promise } from '../bench/table.ts';
import { codeBlocks, documents, root } from './documents.ts';
import { readGuide } from './testing/guide.ts';

const document = (path: string) => {
  const found = documents.find((one) => one.path === path);
  if (!found) throw new Error(`${path} is missing`);
  return found;
};

/** The text without code, which contains no links. */
const prose = (text: string) => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
const code = (text: string) =>
  [...text.matchAll(/^```.*?^```$|^ {4}[^\n]*$|`[^`\n]*`/gms)].map(([block]) => block).join('\n');
/** The anchor that GitHub and others give a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

test('every link between documents has a target', () => {
  const broken: string[] = [];
  let links = 0;
  for (const { path, text } of documents) {
    for (const [, link = ''] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      links += 1;
      const [file = '', fragment] = link.split('#');
      const target = file ? resolve(root, dirname(path), file) : join(root, path);
      // A forge shows a folder as a page, but the documentation site has no such page.
      const there = statSync(target, { throwIfNoEntry: false })?.isFile() ?? false;
      const headings = there && fragment ? readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm) : [];
      if (!there || (fragment && ![...headings].some(([, heading = '']) => anchor(heading) === fragment))) {
        broken.push(`${path}: ${link}`);
      }
    }
  }
  expect(broken).toEqual([]);
  expect(links).toBeGreaterThan(40);
});

test('llms.txt names every guide', () => {
  const index = readFileSync(join(root, 'docs/llms.txt'), 'utf8');
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([]);
  for (const guide of readdirSync(join(root, 'docs/guides'))) {
    expect(index).toContain(`(guides/${guide})`);
    expect(document('docs/README.md').text).toContain(`(guides/${guide})`);
  }
});

test('every guide is followed by a test, and blocks that no test runs state the reason', () => {
  const tests = globSync('{tools,packages}/**/{*.long.test,installed-example,blocks}.ts', {
    cwd: root,
    exclude: ['**/node_modules'],
  });
  const followed = tests.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  for (const guide of readdirSync(join(root, 'docs/guides'))) {
    expect(followed, guide).toContain(`${guide}'`);
    for (const { at, mark } of readGuide(guide))
      if (mark !== undefined) expect(mark.split(' ').length, at).toBeGreaterThan(3);
  }
});

test('no page begins by announcing what the reader will learn', () => {
  const opening = /^# .+\n\n(?:At the end|On this page|In this guide|After this)/;
  expect(documents.filter(({ text }) => opening.test(text)).map(({ path }) => path)).toEqual([]);
});

test('the code of an example in a guide is the code of its file', () => {
  let blocks = 0;
  for (const guide of readdirSync(join(root, 'docs/guides'))) {
    const { text } = document(`docs/guides/${guide}`);
    for (const [, path = '', shown] of text.matchAll(/\]\(\.\.\/\.\.\/(examples\/\S+)\):\n\n```\w+\n(.*?)^```$/gms)) {
      expect(shown, `${guide}: ${path}`).toBe(readFileSync(join(root, path), 'utf8'));
      blocks += 1;
    }
  }
  expect(blocks).toBeGreaterThan(15);
});

test('the numbers in the README match bench/budgets.json', () => {
  const section = /## Numbers\n(.*?)\n## /s.exec(document('README.md').text)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!What|---)/.test(line));
  expect(rows.length).toBeGreaterThan(8);
  expect(budgets.map(promise)).toEqual(expect.arrayContaining(rows));
});

test('the figures of the comparison match bench/budgets.json', () => {
  const budgetOf = (id: string) => budgets.find((budget) => budget.id === id)?.budget ?? Number.NaN;
  const { text } = document('docs/comparisons.md');
  const ours = (row: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`| ${row}`))
      ?.split('|')[3]
      ?.trim();
  expect(ours('Client')).toContain(` ${budgetOf('sdk.size')} KB,`);
  expect(ours('Script, compressed')).toBe(`${budgetOf('widget.size') / 1000} KB`);
  expect(ours('Twenty slots')).toBe(`${budgetOf('widget.requests')}, ${budgetOf('widget.layout-shift')}`);
  expect(ours('Cost of a request')).toContain(`1/${1 / budgetOf('mock.fetch')} `);
  expect(ours('Ten cached posts')).toBe(String(budgetOf('server.hot-list')));
  const [, list, batch] =
    /at least ([\d.]+) for ten hot posts and at least ([\d.]+) for a durable batch/.exec(
      document('docs/beyond-one-machine.md').text,
    ) ?? [];
  expect([list, batch].map(Number)).toEqual([budgetOf('server.hot-list'), budgetOf('server.batch')]);
});

test('every pnpm command in the documents is a script or a command of pnpm', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // `pnpm docs` is a built-in command, which hides the script: the documents must write `pnpm run docs`.
  const known = [...Object.keys(scripts).filter((name) => name !== 'docs'), 'add', 'install', 'vitest', 'changeset'];
  let commands = 0;
  for (const { path, text } of documents) {
    for (const [, run, name = ''] of code(text).matchAll(/\bpnpm (run )?([a-z][\w-]*)/g)) {
      commands += 1;
      if (run) expect(scripts, `${path}: pnpm run ${name}`).toHaveProperty([name]);
      else expect(known, `${path}: pnpm ${name}`).toContain(name);
    }
  }
  expect(commands).toBeGreaterThan(20);
});

test('every broadsheet command in the documents exists', () => {
  const main = join(root, 'packages/server/src/main.ts');
  const help = execFileSync(process.execPath, ['--conditions=@broadsheet/source', main, '--help'], {
    encoding: 'utf8',
  });
  const commands = [...help.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
  expect(commands).toEqual(expect.arrayContaining(['serve', 'import']));
  for (const one of documents) {
    for (const [, name] of codeBlocks(one, 'sh')
      .join('\n')
      .matchAll(/^(?:npx )?(?:@broadsheet\/server|broadsheet) ([a-z]+)/gm)) {
      expect(commands, `${one.path}: broadsheet ${name}`).toContain(name);
    }
  }
});

test('the index of decisions names every page by its title', () => {
  const pages = documents.filter(({ path }) => /^decisions\/\d{4}-/.test(path));
  expect(pages.length).toBeGreaterThan(5);
  const lines = pages.map(({ path, text }) => {
    const name = path.slice('decisions/'.length);
    return `- ${name.slice(0, 4)} [${/^# (.+)$/m.exec(text)?.[1]}](${name})`;
  });
  const index = document('decisions/README.md').text;
  expect(index.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines);
});

test('the map in CONTRIBUTING lists every package and its folders', () => {
  const rows = [...document('CONTRIBUTING.md').text.matchAll(/^\| `([\w-]+)` \|.*\| ((?:`[\w-]+` ?)+)\|$/gm)];
  const map = Object.fromEntries(
    rows.map(([, name = '', folders = '']) => [name, folders.trim().replaceAll('`', '').split(' ')]),
  );
  const foldersOf = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  const packages = foldersOf(join(root, 'packages'));
  expect(map).toEqual(
    Object.fromEntries(packages.map((name) => [name, foldersOf(join(root, 'packages', name, 'src'))])),
  );
});

test('every path of the repository that a document names exists', () => {
  const folders = ['.', 'packages'].flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true }));
  const known = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const missing: string[] = [];
  let names = 0;
  // A guide names the paths of the reader's own site.
  for (const { path, text } of documents.filter(({ path }) => !path.startsWith('docs/guides/'))) {
    for (const [, name = ''] of text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([\w.-]+\/[\w./-]*)`/g)) {
      if (!known.includes(name.split('/')[0] ?? '')) continue;
      names += 1;
      const places = [root, join(root, 'packages'), join(root, dirname(path))];
      if (!places.some((folder) => existsSync(join(folder, name)))) missing.push(`${path}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(names).toBeGreaterThan(50);
});

test('every section of the API document that a source names exists', () => {
  const sections = new Set(
    [...document('docs/api.md').text.matchAll(/^##+ (\d[\d.]*)/gm)].map(([, number]) => number?.replace(/\.$/, '')),
  );
  expect(sections).toContain('4.5');
  const missing: string[] = [];
  let names = 0;
  for (const path of globSync('{packages,bench,tools,docs,decisions}/**/*.{ts,tsx,md}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  })) {
    for (const [name, numbers = ''] of readFileSync(join(root, path), 'utf8').matchAll(
      /\bapi\.md ((?:\d[\d.]*\d|\d)(?:(?:, | and | to )(?:\d\.\d|\d))*)/g,
    )) {
      for (const number of numbers.split(/, | and | to /)) {
        names += 1;
        if (!sections.has(number)) missing.push(`${path}: ${name}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(names).toBeGreaterThan(50);
});

test('every test in src is next to the file it tests', () => {
  const tests = globSync('packages/*/src/**/*.{test,test-d}.{ts,tsx}', { cwd: root });
  const alone = tests.filter((path) => {
    const subject = path.replace(/(\.long|\.browser)?\.(test|test-d)\.tsx?$/, '');
    return !existsSync(join(root, `${subject}.ts`)) && !existsSync(join(root, `${subject}.tsx`));
  });
  expect(alone).toEqual([]);
  expect(tests.length).toBeGreaterThan(50);
});
