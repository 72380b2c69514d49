import { describe, expect, test } from 'vitest';
import { createMock } from '../../src/node.ts';
import { worldTest } from '../../src/runners/jest.ts';
import { BUN, run } from './run.ts';

const OFF_CONTRACT =
  /Requests off the contract \(1\):\s+GET \S+\/public\/posts\?limit=1000\s+limit: must be at most 100/;
const LEFT =
  /possible causes of the failure:\s+responses held by hold\('posts.list'\): 1\s+fail\('search', 503\) matched no request/;
const WAITING = /possible causes of the failure:\s+responses held by hold\('categories.list'\): 1/;

test('in node:test each test gets a world, and a report of its requests and unfinished work', async () => {
  const output = await run(process.execPath, '--test', '--test-reporter=tap', 'test/runners/node.fixture.ts');
  const outcomes = [...output.matchAll(/^(ok|not ok) \d+ - (.*)$/gm)].map(([, outcome, name]) => [name, outcome]);
  expect(outcomes).toEqual([
    ['passes', 'ok'],
    ['has a world of its own', 'ok'],
    ['is off the contract', 'not ok'],
    ['leaves faults and gates', 'not ok'],
    ['runs out of time', 'not ok'],
    ['is left out # SKIP', 'ok'],
  ]);
  expect(output).toMatch(OFF_CONTRACT);
  expect(output).toMatch(/what the page shows[\s\S]*possible causes of the failure/);
  expect(output.replaceAll('# ', '')).toMatch(LEFT);
  expect(output.replaceAll('# ', '')).toMatch(WAITING);
});

describe.skipIf(!BUN)('in Bun', () => {
  test('each test gets a world, and a report of its requests and unfinished work', async () => {
    const output = await run(BUN ?? '', 'test', '--conditions=@broadsheet/source', './test/runners/bun.fixture.ts');
    expect(output).toMatch(/2 pass\s+1 skip\s+3 fail/);
    expect(output).toMatch(OFF_CONTRACT);
    expect(output).toMatch(LEFT);
    expect(output).toMatch(WAITING);
  });
});

test.each(['only', 'skip', 'concurrent'] as const)('a runner without test.%s defines no other test instead', (kind) => {
  const defined: string[] = [];
  const runner = { test: (name: string) => defined.push(name), afterEach: () => undefined };
  const withWorlds = worldTest(createMock(), {}, runner);
  expect(() => withWorlds[kind]('is special', () => undefined)).toThrow(
    `worldTest: the runner has no test.${kind}, so "is special" cannot be defined`,
  );
  withWorlds('is plain', () => undefined);
  expect(defined).toEqual(['is plain']);
});

test('a runner without globals must be passed as an argument', () => {
  expect(() => worldTest(createMock(), {}, {})).toThrow(
    /no global test and afterEach; pass the functions of the runner/,
  );
});
