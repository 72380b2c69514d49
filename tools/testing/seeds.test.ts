import { expect, test, vi } from 'vitest';
import { findingsOf, reportOf } from './findings.ts';
import { randomTests } from './random-tests.ts';
import { seedsOf } from './seeds.ts';

test('a random test runs with the seeds that once failed, and with TEST_SEED only with that one', () => {
  vi.stubEnv('TEST_SEED', undefined);
  expect([seedsOf(), seedsOf(38, 7)]).toEqual([[1], [38, 7]]);
  vi.stubEnv('TEST_SEED', '42');
  expect([seedsOf(), seedsOf(38, 7)]).toEqual([[42], [42]]);
  for (const wrong of ['', '1.5', 'x', '-1']) {
    vi.stubEnv('TEST_SEED', wrong);
    expect(() => seedsOf()).toThrow('TEST_SEED: expected up to nine digits');
  }
  vi.unstubAllEnvs();
});

test('every test that takes its seeds from seedsOf gets new ones', () => {
  const { tests, drawing } = randomTests();
  expect(tests).toEqual(
    expect.arrayContaining([
      'packages/server/test/commands.test.ts',
      'packages/server/test/hostile.test.ts',
      'packages/server/test/hostile.long.test.ts',
      'packages/workers/test/model/stores-agree.test.ts',
      'tools/prove/prove.long.test.ts',
    ]),
  );
  expect(drawing.length).toBeGreaterThan(10);
});

test('a failure with a new seed is reported with the command that repeats it', () => {
  const result = (status: string, fullName: string) => ({ status, fullName, failureMessages: [`why ${fullName}`] });
  const results = JSON.stringify({
    testResults: [
      {
        name: '/r/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [result('failed', "it's 1+1 (seed 5)")],
      },
      { name: '/r/b.long.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: '/r/c.test.ts', status: 'passed', message: '', assertionResults: [result('passed', 'well')] },
    ],
  });
  const pathOf = (file: string) => file.slice(3);
  const report = reportOf([5], findingsOf(5, { results, code: 1, pathOf }));
  expect(report).toContain('1 new seed found 2 failures');
  expect(report).toContain('    why it');
  expect(report).toContain('TEST_SEED=5 pnpm vitest run --project node a.test.ts -t ');
  expect(report).toContain('TEST_SEED=5 pnpm vitest run --project long b.long.test.ts\n');
  expect(report).not.toContain('well');
  expect(reportOf([5], findingsOf(5, { results: undefined, code: 1, pathOf }))).toContain('ended with 1');
  expect(reportOf([5, 6], findingsOf(5, { results, code: 0, pathOf: () => '' }).slice(2))).toContain(
    'found nothing: 5, 6',
  );
});
