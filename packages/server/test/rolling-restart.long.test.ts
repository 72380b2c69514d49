import { describe, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { earned } from './events.ts';
import { nginx } from './nginx.ts';
import { rollingRestart } from './rolling-restart.ts';

const ROUNDS = Number(process.env['RESTART_ROUNDS'] ?? 2);

describe.skipIf(!nginx)('three processes behind nginx, each restarted in turn under load', () => {
  describeDatabases('', (database) => {
    it(`fail no request in ${ROUNDS} rounds, and count each once`, async () => {
      const { restarts, answered, failed, codes } = await rollingRestart(database.cwd, database.url, ROUNDS);
      console.info(`restarts under load: ${restarts}, answered ${JSON.stringify(answered)}`);
      expect(failed.slice(0, 10)).toEqual([]);
      expect(codes).toEqual(Array.from({ length: ROUNDS * 3 }, () => 0));
      const { impressions, clicks } = await earned('news', database.url, database);
      expect(impressions).toBe(answered.impressions);
      // One for each address: the others are repeats.
      expect(clicks).toBeLessThanOrEqual(answered.clicks);
      expect(clicks).toBeGreaterThan(0);
    });
  });
});
