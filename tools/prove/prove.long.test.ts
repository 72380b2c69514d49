import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nginx } from '../../packages/server/test/nginx.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { findBinaries } from '../testing/postgres.ts';
import { seedsOf } from '../testing/seeds.ts';
import type { Target } from './deployment.ts';
import { prove } from './prove.ts';

const folder = temporaryFolder();
/** With less load than by default, because other tests run at the same time. */
const options = { minutes: 1, clients: 40 };
const hasPostgres = nginx !== undefined && findBinaries() !== undefined;

async function check(target: Target, seed: number): Promise<void> {
  // A run that is repeated needs a database of its own.
  const own = mkdtempSync(join(folder.path, 'run-'));
  const { contradictions, missing, summary } = await prove({ ...options, seed, target, folder: own });
  expect(contradictions.slice(0, 3), summary).toEqual([]);
  expect(missing, summary).toEqual([]);
}

test.each(seedsOf(47))('one process on SQLite keeps every promise under faults (seed %i)', (seed) =>
  check('sqlite', seed),
);
test.skipIf(!hasPostgres).each(seedsOf(47))(
  'three processes on PostgreSQL keep every promise under faults (seed %i)',
  (seed) => check('postgres', seed),
);
