import { expect, test } from 'vitest';
import { SQLITE_EVENTS } from '../sqlite/dialect.ts';
import { createPruning } from './prune-events.ts';

test('an error while old events are removed is reported, and does not affect the next click', async () => {
  const reports: [string, unknown][] = [];
  const broken = new Error('no such table');
  const database = { transact: () => Promise.reject(broken), eventDialect: SQLITE_EVENTS };
  const pruning = createPruning(database, (message, cause) => reports.push([message, cause]));
  pruning.at(Date.UTC(2026, 0, 1));
  await pruning.stop();
  expect(reports).toEqual([[expect.stringContaining('could not be removed'), broken]]);
  pruning.at(Date.UTC(2027, 0, 1));
  expect(reports).toHaveLength(1);
});
