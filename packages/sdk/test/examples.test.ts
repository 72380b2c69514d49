import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as sdk from '../src/index.ts';
import { blocksOf, complaints } from './support/compile.ts';

// Every public name is explained, every function and class with an example, and every example compiles.

/** Names that examples may use without declaring or importing them. */
const GIVEN: Readonly<Record<string, string>> = {
  blog: 'Blog',
  error: 'unknown',
  id: 'string',
  token: 'string',
  request: 'Request',
  slots: 'AdSlot[]',
  notFound: '() => void',
  render: '(items: readonly unknown[]) => void',
  revalidateTag: '(tag: string, profile: string) => void',
};

interface Documented {
  readonly name: string;
  /** Whether its declaration says that it exists at run time. */
  readonly value: boolean;
  readonly text: string;
  readonly examples: readonly string[];
}

const { checker, exports } = openDoor();

/** The package as an editor sees it. */
function openDoor(): { checker: ts.TypeChecker; exports: readonly ts.Symbol[] } {
  const door = resolve(import.meta.dirname, '../src/index.ts');
  const options = { customConditions: ['@broadsheet/source'], moduleResolution: ts.ModuleResolutionKind.Bundler };
  const program = ts.createProgram([door], {
    ...options,
    module: ts.ModuleKind.ESNext,
    allowImportingTsExtensions: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(door);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${door} is not a module`);
  return { checker, exports: checker.getExportsOfModule(module) };
}

const target = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

function publicNames(): Documented[] {
  return exports.map((exported) => {
    const symbol = target(checker, exported);
    const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
    return {
      name: exported.name,
      value: Boolean(symbol.flags & ts.SymbolFlags.Value),
      text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: tags.flatMap(({ text }) => blocksOf(`${ts.displayPartsToString(text)}\n`)),
    };
  });
}

// The bundler of declarations turns every class that is exported as a type into one that seems to be a value.
test('every name that is declared as a value is exported as one', () => {
  const declared = publicNames().filter(({ value }) => value);
  expect(declared.map(({ name }) => name).toSorted()).toEqual(Object.keys(sdk).toSorted());
});

/** Names that a declaration shows in an editor, but that cannot be imported. */
function* privateNames(node: ts.Node, checker: ts.TypeChecker, known: ReadonlySet<ts.Symbol>): Generator<string> {
  const hidden =
    (ts.isClassElement(node) || ts.isTypeElement(node)) &&
    (ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal') ||
      (node.name && ts.isPrivateIdentifier(node.name)));
  // An editor shows the name of an alias, not its target.
  const alias = ts.isTypeAliasDeclaration(node) && ts.isTypeReferenceNode(node.type) && !node.type.typeArguments;
  if (hidden || alias || ts.isBlock(node) || ts.isHeritageClause(node)) return;
  if (ts.isTypeReferenceNode(node)) {
    const found = checker.getSymbolAtLocation(node.typeName);
    const symbol = found && target(checker, found);
    const ours = symbol?.declarations?.some((one) => /\/packages\//.test(one.getSourceFile().fileName));
    if (symbol && ours && !(symbol.flags & ts.SymbolFlags.TypeParameter) && !known.has(symbol)) yield symbol.name;
  }
  for (const child of node.getChildren()) yield* privateNames(child, checker, known);
}

test('declarations of public names refer only to public names', () => {
  const known = new Set(exports.map((symbol) => target(checker, symbol)));
  const found = [...known].flatMap((symbol) =>
    (symbol.declarations ?? []).flatMap((declaration) =>
      [...privateNames(declaration, checker, known)].map((name) => `${symbol.name} shows ${name}`),
    ),
  );
  expect(found).toEqual([]);
});

const mentions = (code: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);

test('every public name is explained, functions and classes with an example that compiles', async () => {
  const names = publicNames();
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter(({ text }) => text.length < 20).map(({ name }) => name)).toEqual([]);
  const unused = names.filter(({ name, value, examples }) => value && !examples.some((code) => mentions(code, name)));
  expect(unused.map(({ name }) => name)).toEqual([]);
  const modules: Record<string, string> = {};
  for (const [nth, { name, examples }] of names.entries()) {
    for (const [index, code] of examples.entries()) {
      const imported = names.filter(
        (other) => mentions(code, other.name) || other.name === 'Blog' || other.name === 'AdSlot',
      );
      const given = Object.entries(GIVEN).map(([variable, type]) => `declare const ${variable}: ${type};`);
      modules[`${nth}-${name}-${index}`] = [
        `import { ${imported.map((other) => other.name).join(', ')} } from '@broadsheet/sdk';`,
        ...given,
        `export async function example() {\n${code}}`,
      ].join('\n');
    }
  }
  expect(await complaints('examples', modules, { verbatimModuleSyntax: false })).toBe('');
});
