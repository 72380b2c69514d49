import { describe, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { adCounts } from './events.ts';
import { nginx } from './nginx.ts';
import { rollingRestart } from './rolling-restart.ts';

const ROUNDS = Number(process.env['RESTART_ROUNDS'] ?? 2);

describe.skipIf(!nginx)('a rolling restart of three processes behind nginx under load', () => {
  describeDatabases('', (database) => {
    it(`${ROUNDS} rolling restarts fail no request and count each event once`, async () => {
      const url = await database.another();
      const { restarts, succeeded, failed, codes } = await rollingRestart(database.cwd, url, ROUNDS);
      console.info(`restarts under load: ${restarts}, succeeded ${JSON.stringify(succeeded)}`);
      expect(failed.slice(0, 10)).toEqual([]);
      expect(codes).toEqual(Array.from({ length: ROUNDS * 3 }, () => 0));
      const { impressions, clicks } = await adCounts('news', url, database);
      expect(impressions).toBe(succeeded.impressions);
      // One click per IP address is counted; the others are repeats.
      expect(clicks).toBeLessThanOrEqual(succeeded.clicks);
      expect(clicks).toBeGreaterThan(0);
    });
  });
});
