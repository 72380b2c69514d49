import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, test } from 'vitest';

// Every public name is explained, functions and classes with an example that uses them, and every example compiles.

const root = resolve(import.meta.dirname, '../../..');
const source = (name: string) => resolve(import.meta.dirname, '../src', name);
const DOORS = {
  '': 'index.ts',
  '/control': 'control/remote-world.ts',
  '/factories': 'data/factories.ts',
  '/jest': 'runners/jest.ts',
  '/playwright': 'runners/playwright.ts',
  '/storybook': 'runners/storybook.ts',
  '/vitest': 'runners/vitest.ts',
};

/** The names that examples may use without declaring them. */
const GIVEN = `import { createClient } from '@broadsheet/sdk';
import type { Page } from 'playwright';
import { setupServer } from 'msw/node';
import { setupWorker } from 'msw/browser';
declare const page: Page;
declare const id: string;
declare const blog: ReturnType<typeof createClient>;
declare const POST: (request: Request) => Promise<Response>;
declare const renderHome: (connection: unknown) => Promise<void>;
declare const render: (element: unknown) => void;
declare const card: (props: { post: { title: string } }) => unknown;
`;
const runnerOf = (door: string) =>
  `import { test as base, expect } from '${door === '/playwright' ? 'playwright/test' : 'vitest'}';\n` +
  "declare const { test, afterEach }: typeof import('vitest');\n";
const VARIABLES: Readonly<Record<string, string>> = {
  mock: 'declare const mock: Mock;',
  world: 'declare const world: World;',
  remote: 'declare const remote: RemoteWorld;',
};

interface Documented {
  readonly name: string;
  readonly door: string;
  readonly text: string;
  readonly isCalled: boolean;
  /** Its examples, and the examples of its methods. */
  readonly examples: readonly string[];
}

function publicNames(): Documented[] {
  const paths = Object.values(DOORS).map(source);
  const program = ts.createProgram(paths, {
    customConditions: ['@broadsheet/source'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  });
  const checker = program.getTypeChecker();
  return Object.entries(DOORS).flatMap(([door, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(source(file)) as ts.SourceFile);
    if (!module) throw new Error(`${file} is not a module`);
    return checker.getExportsOfModule(module).map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const isCalled = (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) !== 0;
      const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
      const examples = [symbol, ...members].flatMap((one) => examplesOf(one, checker));
      return { name: exported.name, door, text, isCalled, examples };
    });
  });
}

function examplesOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
  const text = tags.map((tag) => `${ts.displayPartsToString(tag.text)}\n`).join('');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

const mentions = (code: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);

test('every public name is explained, and its examples compile', async () => {
  const names = publicNames();
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(({ text }) => text.length < 15).map(({ name }) => name)).toEqual([]);
  const unused = names.filter(
    ({ isCalled, name, examples }) => isCalled && !examples.some((code) => mentions(code, name)),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);

  const folder = resolve(import.meta.dirname, '../node_modules/.cache/examples');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [nth, { name, door, examples }] of names.entries()) {
    for (const [index, code] of examples.entries()) {
      // Methods that a type has from another are documented once.
      if (names.findIndex((other) => other.examples.includes(code)) !== nth) continue;
      const declared = Object.entries(VARIABLES)
        .filter(([variable]) => mentions(code, variable) && !new RegExp(`const ${variable}\\b`).test(code))
        .map(([, declaration]) => declaration);
      const text = `${declared.join('\n')}\nexport async function example() {\n${code}}\n`;
      const imports = names
        .filter((other) => mentions(text, other.name) && (other.name !== name || other.door === door))
        .map((other) => `import { ${other.name} } from '@broadsheet/mock-server${other.door}';`);
      await writeFile(join(folder, `${nth}-${name}-${index}.ts`), [...imports, GIVEN, runnerOf(door), text].join('\n'));
    }
  }
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    noPropertyAccessFromIndexSignature: false,
    verbatimModuleSyntax: false,
    paths: {
      '@broadsheet/sdk': [join(root, 'packages/sdk/src/index.ts')],
      ...Object.fromEntries(
        Object.entries(DOORS).map(([door, file]) => [`@broadsheet/mock-server${door}`, [source(file)]]),
      ),
    },
  };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
}, 120_000);
