import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

const DAY = 24 * 60 * 60 * 1000;

/** How long the last counted click of a visitor is kept, in milliseconds: longer than any window of repetition. */
const CLICKS_KEPT = DAY;

/** How long past its expiry a token is remembered: clocks of several processes differ. */
const TOKENS_KEPT = 60 * 60 * 1000;

/** Forgets tokens that have expired and clicks that no new one can repeat. */
export async function pruneEvents(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('used_tokens')
    .where('expires_at', '<', now - TOKENS_KEPT)
    .execute();
  await db
    .deleteFrom('counted_clicks')
    .where('at', '<', now - CLICKS_KEPT)
    .execute();
}
