import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { COMMANDS } from '../packages/management/src/commands/commands.ts';
import { DEPLOYMENT_COMMANDS } from '../packages/workers/src/management/commands.ts';
import { root } from './documents.ts';

const NAMES: ReadonlySet<string> = new Set(
  [COMMANDS, DEPLOYMENT_COMMANDS].flatMap((table) => Object.keys(table).filter((name) => name.includes('.'))),
);
/** The beginnings of names, such as `keys.`. */
const GROUPS: ReadonlySet<string> = new Set([...NAMES].map((name) => name.slice(0, name.indexOf('.') + 1)));
/** The tables, which name their rows. */
const TABLES = ['packages/management/src/commands/', 'packages/workers/src/management/commands.ts'];
/** Functions that run the command with a name, and those that link to its form; their parameters have the type of a name. */
const TAKES_NAME: ReadonlySet<string> = new Set([
  ...['run', 'send', 'step', 'commandForms', 'isResponseTo', 'blogPath'],
]);

/** The sources of packages that have commands. In the others, `posts.list` is an endpoint of the API. */
const SOURCES = globSync('packages/{management,http,panel,server,workers,demo}/src/**/*.{ts,tsx}', {
  cwd: root,
}).filter((path) => !path.includes('.test') && !TABLES.some((table) => path.startsWith(table)));

/** Whether a name is what is run or shown here: an argument of a call, the target of a form, or a key of checked steps. */
function isUse(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) {
    const callee = ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name : parent.expression;
    return ts.isIdentifier(callee) && TAKES_NAME.has(callee.text);
  }
  if (ts.isSatisfiesExpression(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isJsxAttribute(parent)) return parent.name.getText() === 'to';
  const isPassedOn =
    ts.isObjectLiteralExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    ts.isJsxExpression(parent);
  return isPassedOn && isUse(parent);
}

/** The places where code decides by the name of a command. */
function decisionsIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && (NAMES.has(node.text) || GROUPS.has(node.text)) && !isUse(node)) {
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.pos).line + 1} ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no code outside the table decides by the name of a command', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  expect(SOURCES.flatMap((path) => decisionsIn(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test.each([
  "if (call.name === 'import.run') wait();",
  "const ADDS = new Set(['keys.create', 'keys.rotate']);",
  "const isLarge = ['ads.add'].includes(name);",
  "switch (name) { case 'posts.delete': break; }",
  "const LIMITS: Record<string, number> = { 'ads.add': 4 };",
  "const isKey = name.startsWith('keys.');",
])('the scan finds %s', (code) => {
  expect(decisionsIn('made-up.ts', code)).toHaveLength(code.includes('rotate') ? 2 : 1);
});

test.each([
  "await client.run('keys.create', blog, {});",
  "const STEPS = { 'ads.add': step } satisfies Partial<Record<CommandName, Step>>;",
  "commandForms(app, options, 'ads', { 'ads.pause': form });",
  "const form = <Form to={active ? 'ads.pause' : 'ads.resume'} />;",
])('the scan permits %s', (code) => {
  expect(decisionsIn('made-up.tsx', code)).toEqual([]);
});
