import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PUBLISHED, releaseProblems } from './check-release.ts';
import { root } from './documents.ts';

const manifestOf = (name: string) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
const readmeOf = (name: string) => readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');

test('every package that is not private is checked', () => {
  const packages = readdirSync(join(root, 'packages'));
  expect(packages.filter((name) => !manifestOf(name).private).sort()).toEqual([...PUBLISHED].sort());
});

test('a placeholder or a missing field is reported with the name of its package', () => {
  const manifest = {
    name: '@broadsheet/sdk',
    homepage: 'https://forge.example/broadsheet',
    repository: { type: 'git', url: 'git+https://REPOSITORY.example/OWNER/broadsheet.git' },
  };
  expect(releaseProblems(manifest)).toEqual([
    expect.stringMatching(/^@broadsheet\/sdk: "bugs" is missing/),
    expect.stringMatching(/^@broadsheet\/sdk: "repository" is .*in place of REPOSITORY.example\/OWNER\/broadsheet$/),
  ]);
});

test.each(PUBLISHED)('the README of %s links to files of the repository by relative paths', (name) => {
  const links = [...readmeOf(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => link.includes('REPOSITORY'))).toEqual([]);
  for (const link of links.filter((each) => !/^(https:|#)/.test(each)))
    expect(existsSync(join(root, 'packages', name, link.split('#')[0] ?? '')), link).toBe(true);
});

test('nothing is published while a manifest contains a placeholder', () => {
  const problems = PUBLISHED.flatMap((name) => releaseProblems(manifestOf(name)));
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/check-release.ts')], { encoding: 'utf8' });
  expect(stderr.split('\n').filter(Boolean)).toEqual(problems);
  expect(status).toBe(problems.length > 0 ? 1 : 0);
});
