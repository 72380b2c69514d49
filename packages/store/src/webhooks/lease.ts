import type { Db } from '../sql.ts';

/** The state of a lease: whether this holder has it, and a number that changes whenever its holder renews it. */
export interface Lease {
  readonly isMine: boolean;
  readonly beat: number;
}

/**
 * Takes a free lease, renews the holder's own, or takes over one that was not renewed since the beat `stale`. Whether a
 * holder is dead is decided by its beats and not by timestamps, because the clocks of machines differ.
 */
export async function takeLease(db: Db, name: string, holder: string, stale = -1): Promise<Lease> {
  await db`insert into leases (name, holder, beat) values (${name}, '', 0) on conflict do nothing`;
  const taken = await db<{ beat: number }>`update leases set holder = ${holder}, beat = beat + 1
    where name = ${name} and (holder in ('', ${holder}) or beat = ${stale}) returning beat`;
  if (taken[0]) return { isMine: true, beat: taken[0].beat };
  const [lease] = await db<{ beat: number }>`select beat from leases where name = ${name}`;
  return { isMine: false, beat: lease?.beat ?? 0 };
}

/** Frees a lease, if this holder has it. */
export async function freeLease(db: Db, name: string, holder: string): Promise<void> {
  await db`update leases set holder = '' where name = ${name} and holder = ${holder}`;
}

/** Whether a holder has a lease; one that was killed still has it. */
export async function isHeld(db: Db, name: string): Promise<boolean> {
  const rows = await db`select 1 from leases where name = ${name} and holder <> ''`;
  return rows.length > 0;
}
