import { LIMITS } from '@broadsheet/contract';
import { isCountedByItself, OTHER_PLACEMENT } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../tables.ts';

/** A placement of a blog on a day. */
export type DayPlacement = Pick<Tables['placements'], 'blog_id' | 'day' | 'placement'>;

export type Placements = ReturnType<typeof createPlacements>;

/** The number of days of blogs whose placements are cached. */
const MAX_DAYS = 20_000;

/** A cache of the placements that blogs count separately. */
export function createPlacements() {
  const days = new LRUCache<string, ReadonlySet<string>>({ max: MAX_DAYS });
  let admitting: Promise<void> | undefined;
  // A day has ten characters, so the concatenation is unambiguous.
  const keyOf = ({ blog_id, day }: DayPlacement) => day + blog_id;
  const knownOf = (wanted: DayPlacement) => days.get(keyOf(wanted)) ?? new Set<string>();
  const isNew = (wanted: DayPlacement) =>
    !knownOf(wanted).has(wanted.placement) && isCountedByItself(wanted.placement, knownOf(wanted));

  async function admitDay(db: Kysely<Tables>, ofDay: readonly [DayPlacement, ...DayPlacement[]]): Promise<void> {
    for (let before = -1; ; before = knownOf(ofDay[0]).size) {
      days.set(keyOf(ofDay[0]), await readNames(db, ofDay[0]));
      const missing = [...new Set(ofDay.filter(isNew).map(({ placement }) => placement))];
      // If names are still missing, another process took the numbers; if none was added at all, the blog does not
      // exist.
      if (missing.length === 0 || knownOf(ofDay[0]).size === before) return;
      await addNames(db, ofDay[0], missing.slice(0, LIMITS.placements));
    }
  }

  return {
    /** Adds new placements while there is room; afterwards, `nameOf` returns the name under which each is counted. */
    async admit(db: Kysely<Tables>, wanted: readonly DayPlacement[]): Promise<void> {
      // Waiting calls fail with the call they wait for, so nobody waits for an unavailable database twice.
      while (wanted.some(isNew) && admitting) await admitting;
      const fresh = Object.values(Object.groupBy(wanted.filter(isNew), keyOf));
      if (fresh.length === 0) return;
      admitting = (async () => {
        for (const [first, ...more] of fresh.filter((ofDay) => ofDay !== undefined))
          if (first) await admitDay(db, [first, ...more]);
      })();
      try {
        await admitting;
      } finally {
        admitting = undefined;
      }
    },
    nameOf: (wanted: DayPlacement): string =>
      knownOf(wanted).has(wanted.placement) ? wanted.placement : OTHER_PLACEMENT,
    /** Forgets everything, because a transaction was rolled back. */
    clear: () => days.clear(),
  };
}

async function readNames(db: Kysely<Tables>, { blog_id, day }: DayPlacement): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ placement: string }>`
    select placement from placements where blog_id = ${blog_id} and day = ${day}`.execute(db);
  return new Set(rows.map(({ placement }) => placement));
}

/** Gives new names the next numbers of the day, unless none is left or another process takes them first. */
async function addNames(db: Kysely<Tables>, { blog_id, day }: DayPlacement, names: readonly string[]): Promise<void> {
  await sql`
    insert into placements (blog_id, day, number, placement)
    select ${blog_id}, ${day}, number, name from (
      select column1 as name, row_number() over (order by column1)
        + (select coalesce(max(number), 0) from placements where blog_id = ${blog_id} and day = ${day}) as number
      from (values ${sql.join(names.map((name) => sql`(${name})`))}) as fresh
    ) as numbered
    where number <= ${sql.lit(LIMITS.placements)} and exists (select 1 from blogs where blog_id = ${blog_id})
    on conflict do nothing`.execute(db);
}
