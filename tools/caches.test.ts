import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

/** The packages of which a process of the server consists. */
const PACKAGES = ['contract', 'core', 'store', 'management', 'content', 'http', 'panel', 'server'];
/** The forms of a cache: an LRU cache, a weak map, or a file that is named after one. */
const CACHE = /new (?:LRUCache|WeakMap)\b/;
/** Maps that hold work in progress and cache nothing. */
const IN_PROGRESS = ['http/src/door/broken-request.ts', 'store/src/postgres/driver.ts'];

const code = (path: string) => readFileSync(`${root}/packages/${path}`, 'utf8');
const rows = readFileSync(`${root}/docs/how-it-works.md`, 'utf8')
  .split('### Caches')[1]
  ?.split('\n#')[0]
  ?.split('\n')
  .flatMap((row) => {
    const path = /\(`([^`]+\.ts)`\)/.exec(row)?.[1];
    return path === undefined ? [] : [{ path, sizes: row.match(/\b\d+,\d{3}\b/g) ?? [] }];
  });

test('the table of caches names every file of the server that has one', () => {
  const files = PACKAGES.flatMap((name) => globSync(`${name}/src/**/*.ts`, { cwd: `${root}/packages` }));
  const caching = files.filter((path) => {
    if (path.endsWith('.test.ts') || IN_PROGRESS.includes(path)) return false;
    return CACHE.test(code(path)) || path.endsWith('-cache.ts');
  });
  expect(caching.length).toBeGreaterThan(5);
  const named = new Set(rows?.map(({ path }) => path));
  expect(caching.filter((path) => !named.has(path))).toEqual([]);
});

test('every row of the table of caches names a file with a map and states the sizes of its code', () => {
  expect(rows?.length).toBeGreaterThan(5);
  for (const { path, sizes } of rows ?? []) {
    expect(code(path), path).toMatch(/new (?:LRUCache|WeakMap|Map)\b/);
    for (const size of sizes)
      expect(code(path), path).toMatch(new RegExp(`\\b${size.replace(',', '_')}\\b|\\b${size.replace(',', '')}\\b`));
  }
});
