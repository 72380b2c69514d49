import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The state of a lease: whether this holder has it, and a number that changes whenever its holder renews it. */
export interface Lease {
  readonly isMine: boolean;
  readonly beat: number;
}

/**
 * Takes a free lease, renews the holder's own, or takes over one that was not renewed since the beat `stale`. Whether a
 * holder is dead is decided by its beats and not by timestamps, because the clocks of machines differ.
 */
export async function takeLease(db: Kysely<Tables>, name: string, holder: string, stale = -1): Promise<Lease> {
  await sql`insert into leases (name, holder, beat) values (${name}, '', 0) on conflict do nothing`.execute(db);
  const taken = await sql<{ beat: number }>`update leases set holder = ${holder}, beat = beat + 1
    where name = ${name} and (holder in ('', ${holder}) or beat = ${stale}) returning beat`.execute(db);
  if (taken.rows[0]) return { isMine: true, beat: taken.rows[0].beat };
  const { beat } = await db.selectFrom('leases').select('beat').where('name', '=', name).executeTakeFirstOrThrow();
  return { isMine: false, beat };
}

/** Frees a lease, if this holder has it. */
export async function freeLease(db: Kysely<Tables>, name: string, holder: string): Promise<void> {
  await db.updateTable('leases').set({ holder: '' }).where('name', '=', name).where('holder', '=', holder).execute();
}

/** Whether a holder has a lease; one that was killed still has it. */
export async function isHeld(db: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await db.selectFrom('leases').select('holder').where('name', '=', name).executeTakeFirst();
  return Boolean(row?.holder);
}
