import { LIMITS } from '@broadsheet/contract';
import { type DayRange, isCountedByItself, OTHER_PLACEMENT, type PlacementCount } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { codeUnitOrder } from '../code-unit-order.ts';
import type { Tables } from '../tables.ts';

/** A placement of a blog on a day. */
export interface DayPlacement {
  readonly blogId: string;
  readonly day: string;
  readonly placement: string;
}

/** The placements that blogs count by themselves, as far as this process knows them. */
export interface Placements {
  /** Makes room for those that are new; afterwards `nameOf` says what each is counted as. */
  admit(db: Kysely<Tables>, wanted: readonly DayPlacement[]): Promise<void>;
  nameOf(placement: DayPlacement): string;
  /** Forgets what a transaction took back. */
  clear(): void;
}

/** Blogs and days whose placements are remembered. */
const MAX_DAYS = 10_000;
export function createPlacements(): Placements {
  const days = new LRUCache<string, ReadonlySet<string>>({ max: MAX_DAYS });
  let admitting: Promise<void> | undefined;
  // A day has ten characters, whatever the blog is called.
  const keyOf = ({ blogId, day }: DayPlacement) => day + blogId;
  const isKnown = (wanted: DayPlacement) => days.get(keyOf(wanted))?.has(wanted.placement) ?? false;
  const isNew = (wanted: DayPlacement) =>
    !isKnown(wanted) && isCountedByItself(wanted.placement, days.get(keyOf(wanted)) ?? new Set());

  async function admitTo(db: Kysely<Tables>, fresh: readonly DayPlacement[]): Promise<void> {
    const [first] = fresh;
    if (!first) return;
    for (let before = -1; ; ) {
      const known = await readPlacements(db, first);
      days.set(keyOf(first), known);
      const missing = [...new Set(fresh.filter(isNew).map(({ placement }) => placement))];
      // Other processes may have taken the numbers; where nobody has, the blog is not there.
      if (missing.length === 0 || known.size === before) return;
      before = known.size;
      for (const [index, placement] of missing.slice(0, LIMITS.placements - known.size).entries()) {
        await addPlacement(db, { ...first, placement }, known.size + index + 1);
      }
    }
  }

  async function admitAll(db: Kysely<Tables>, fresh: readonly DayPlacement[]): Promise<void> {
    for (const ofDay of Map.groupBy(fresh, keyOf).values()) await admitTo(db, ofDay);
  }

  return {
    async admit(db, wanted) {
      // One after the other: requests of this process must not race each other for numbers. Those that wait fail with
      // the one they wait for, so that nobody waits twice for a database that is away.
      while (wanted.some(isNew) && admitting) await admitting;
      const fresh = wanted.filter(isNew);
      if (fresh.length === 0) return;
      admitting = admitAll(db, fresh);
      try {
        await admitting;
      } finally {
        admitting = undefined;
      }
    },
    nameOf: (placement) => (isKnown(placement) ? placement.placement : OTHER_PLACEMENT),
    clear: () => days.clear(),
  };
}

async function readPlacements(db: Kysely<Tables>, { blogId, day }: DayPlacement): Promise<Set<string>> {
  const rows = await db
    .selectFrom('placements')
    .select('placement')
    .where('blog_id', '=', blogId)
    .where('day', '=', day)
    .execute();
  return new Set(rows.map(({ placement }) => placement));
}

/** Takes a number for a placement, unless another process was quicker; a blog that is not there gets none. */
async function addPlacement(
  db: Kysely<Tables>,
  { blogId, day, placement }: DayPlacement,
  number: number,
): Promise<void> {
  await sql`
    insert into placements (blog_id, day, number, placement)
    select blog_id, ${day}, cast(${number} as bigint), ${placement} from blogs where blog_id = ${blogId}
    on conflict do nothing`.execute(db);
}

/** What the placements of a blog brought, by the rules of `Store.countsByPlacement`. */
export async function readPlacementCounts(
  db: Kysely<Tables>,
  blogId: string,
  { from, to }: DayRange = {},
): Promise<PlacementCount[]> {
  let matching = db.selectFrom('placement_counts').selectAll().where('blog_id', '=', blogId);
  if (from !== undefined) matching = matching.where('day', '>=', from);
  if (to !== undefined) matching = matching.where('day', '<=', to);
  const rows = await matching.execute();
  return rows
    .sort(
      (a, b) =>
        codeUnitOrder(a.day, b.day) || codeUnitOrder(a.placement, b.placement) || codeUnitOrder(a.ad_id, b.ad_id),
    )
    .map(({ day, placement, ad_id, slots, clicks }) => {
      const adId = ad_id === '' ? undefined : ad_id;
      return { day, placement, adId, asked: slots, impressions: adId === undefined ? 0 : slots, clicks };
    });
}
