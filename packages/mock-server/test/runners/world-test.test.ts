import { describe, expect, test } from 'vitest';
import { createMock } from '../../src/node.ts';
import { worldTest } from '../../src/runners/jest.ts';
import { BUN, run } from './run.ts';

const OFF_CONTRACT =
  /1 request\(s\) are off the contract:\s+GET \S+\/public\/posts\?limit=1000\s+limit: must be at most 100/;
const LEFT =
  /what may be why the test failed:\s+hold\('posts.list'\) holds 1 answer\(s\)\s+fail\('search', 503\) met no request/;
const WAITING = /what may be why the test failed:\s+hold\('categories.list'\) holds 1 answer\(s\)/;

test('in node:test each test has a world, and learns what it sent and left unfinished', async () => {
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
  expect(output).toMatch(/what the page shows[\s\S]*what may be why the test failed/);
  expect(output.replaceAll('# ', '')).toMatch(LEFT);
  expect(output.replaceAll('# ', '')).toMatch(WAITING);
});

describe.skipIf(!BUN)('in Bun', () => {
  test('each test has a world, and learns what it sent and left unfinished', async () => {
    const output = await run(BUN ?? '', 'test', '--conditions=@broadsheet/source', './test/runners/bun.fixture.ts');
    expect(output).toMatch(/2 pass\s+1 skip\s+3 fail/);
    expect(output).toMatch(OFF_CONTRACT);
    expect(output).toMatch(LEFT);
    expect(output).toMatch(WAITING);
  });
});

test('a runner without globals has to be given', () => {
  expect(() => worldTest(createMock(), {}, {})).toThrow(/no global test and afterEach; give those of the runner/);
});
