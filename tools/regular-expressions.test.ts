import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

// A pattern that backtracks can take seconds for a few kilobytes of input. The time of every pattern in the packages must
// be linear in its input; the patterns of conformance and mock-server run only in tests.

const FILES = globSync('packages/!(conformance|mock-server)/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !/\.(?:test|suite|fixture|test-d)\.tsx?$/.test(path),
);

/** Patterns whose input is the URL that a site's own developer writes. A lookbehind would not load in older browsers. */
const OWN_URL = /\/+$/;
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  'packages/ad-widget/src/advice/advice.ts': OWN_URL,
  'packages/ad-widget/src/delivery/fetch-transport.ts': OWN_URL,
  'packages/ad-widget/src/delivery/viewable.ts': OWN_URL,
  'packages/sdk/src/settings.ts': OWN_URL,
};

/** Files that compose patterns of constants, or of escaped text. */
const COMPOSED = [
  'packages/contract/src/path.ts',
  'packages/contract/src/rules/kinds.ts',
  'packages/core/src/media/image.ts',
  'packages/demo/src/site/story.ts',
  'packages/http/src/pages.ts',
  'packages/sdk/src/errors/redact.ts',
];

/** Calls `visit` for each pattern in a file, and for each that is composed, without its source. */
function eachPattern(path: string, visit: (pattern: RegExp | undefined) => void): void {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
  const search = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      visit(new RegExp(source, flags));
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp')
      visit(undefined);
    ts.forEachChild(node, search);
  };
  search(file);
}

const isSlow = ({ source, flags }: RegExp): boolean => analyse({ source, flags }).reports.length > 0;

test('a pattern that backtracks is recognized', () => {
  expect([/(a+)+$/, /^(\d+|-\d*[1-9]\d*)$/, /x+$/].map(isSlow)).toEqual([true, true, true]);
  expect([/^\d+$/, /^(?:\d+|-0*[1-9]\d*)$/, /(?<!x)x+$/].map(isSlow)).toEqual([false, false, false]);
});

test('every pattern takes time that is linear in its input', () => {
  const slow: [string, string][] = [];
  let count = 0;
  for (const path of FILES) {
    eachPattern(path, (pattern) => {
      count += 1;
      if (pattern && isSlow(pattern)) slow.push([path, String(pattern)]);
    });
  }
  expect(count).toBeGreaterThan(200);
  expect(slow.sort()).toEqual(Object.entries(ACCEPTED).map(([path, pattern]) => [path, String(pattern)]));
});

test('the files that compose patterns are listed', () => {
  const composed = new Set<string>();
  for (const path of FILES) eachPattern(path, (pattern) => void (pattern ?? composed.add(path)));
  expect([...composed].sort()).toEqual(COMPOSED);
});
