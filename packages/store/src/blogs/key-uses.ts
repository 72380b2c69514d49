import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Transact } from '../database.ts';
import type { Tables } from '../tables.ts';
import { sha256Hex } from './api-key.ts';

/** Milliseconds between two records of the use of a key. */
const HOUR = 60 * 60 * 1000;
const MAX_KEYS = 10_000;

/** Records when keys were used: each of them at most once an hour. */
export function recordKeyUses(transact: Transact) {
  // By size, because `max` allocates all entries when the cache is created.
  const recorded = new LRUCache<string, number>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  return (apiKey: string, now: number): void => {
    if (now - (recorded.get(apiKey) ?? 0) < HOUR) return;
    recorded.set(apiKey, now);
    const write = async (db: Kysely<Tables>) =>
      sql`update api_keys set used_at = ${now} where key_hash = ${await sha256Hex(apiKey)}
        and (used_at is null or used_at <= ${now - HOUR})`.execute(db);
    // No request waits for it, and none fails with it: the next hour brings another use.
    transact(write).catch(() => undefined);
  };
}
