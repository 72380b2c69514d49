import { expect, test } from 'vitest';
import { run } from './run.ts';

const vitest = '../../node_modules/vitest/vitest.mjs';

test.each(['vmThreads', 'vmForks'])('handlers and fixture work in the pool %s', async (pool) => {
  const output = await run(
    process.execPath,
    vitest,
    'run',
    '--config',
    'test/runners/pools.fixture.config.ts',
    '--pool',
    pool,
  );
  expect(output).toMatch(/Test Files\s+3 passed \(3\)/);
});
