import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('only long tests start Firefox, so that `pnpm test` passes without it and with any version', () => {
  const files = globSync('{packages,tools,docs,bench,examples}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  const starters = files.filter((path) =>
    /launchFirefox|describeInFirefox|describeInEach/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(starters.filter((path) => !path.endsWith('.long.test.ts') && !path.startsWith('tools/testing/'))).toEqual([]);
  expect(starters.some((path) => path.endsWith('.long.test.ts'))).toBe(true);
});
