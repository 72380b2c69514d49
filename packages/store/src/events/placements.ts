import { LIMITS } from '@broadsheet/contract';
import { isCountedByItself, OTHER_PLACEMENT } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Changes } from '../database.ts';
import type { Tables } from '../tables.ts';

/** A placement of a blog on a day. */
export type DayPlacement = Pick<Tables['placements'], 'blog_id' | 'day' | 'placement'>;

export type Placements = ReturnType<typeof createPlacements>;

/** The number of days of blogs whose placements are cached. */
const MAX_DAYS = 20_000;
/** The number of characters of a day. */
const DAY_LENGTH = 10;

/** The placements of a blog on a day, and the epoch at which they were read; `undefined` if they must be read again. */
interface CachedDay {
  names: ReadonlySet<string>;
  epoch: number | undefined;
}

/**
 * A cache of the placements that blogs count separately. They are read again once the blog was written, because it may
 * have been deleted and created anew.
 */
export function createPlacements(changes: Pick<Changes, 'epoch' | 'listen'>) {
  // By size, because `max` allocates all entries when the cache is created.
  const days = new LRUCache<string, CachedDay>({ maxSize: MAX_DAYS, sizeCalculation: () => 1 });
  const admitting = new Map<string, Promise<void>>();
  // Days have the same length, so the concatenation is unambiguous.
  const keyOf = ({ blog_id, day }: DayPlacement) => day + blog_id;
  const knownOf = (wanted: DayPlacement) => days.get(keyOf(wanted))?.names ?? new Set<string>();
  const isCurrent = (wanted: DayPlacement) => days.get(keyOf(wanted))?.epoch === changes.epoch();
  const isNew = (wanted: DayPlacement) =>
    !knownOf(wanted).has(wanted.placement) && isCountedByItself(wanted.placement, knownOf(wanted));
  const mustRead = (wanted: DayPlacement) => wanted.placement !== '' && (!isCurrent(wanted) || isNew(wanted));

  /** Names stay until they were read again, because a commit may be using them. */
  function forget(blogId: string | undefined): void {
    for (const [key, day] of days.entries()) {
      if (blogId === undefined || key.slice(DAY_LENGTH) === blogId) day.epoch = undefined;
    }
  }
  changes.listen(forget);

  async function admitDay(db: Kysely<Tables>, ofDay: readonly [DayPlacement, ...DayPlacement[]]): Promise<void> {
    for (let before = -1; ; before = knownOf(ofDay[0]).size) {
      // In the cache before the read, so that it is read again if the blog is written meanwhile.
      const day: CachedDay = { names: knownOf(ofDay[0]), epoch: changes.epoch() };
      days.set(keyOf(ofDay[0]), day);
      day.names = await readNames(db, ofDay[0]);
      const missing = [...new Set(ofDay.filter(isNew).map(({ placement }) => placement))];
      // If names are still missing, another process took the numbers; if none was added at all, the blog does not
      // exist.
      if (missing.length === 0 || knownOf(ofDay[0]).size === before) return;
      // Of names that arrive together, the first ones get the room that is left.
      await addNames(db, ofDay[0], missing.slice(0, LIMITS.placements - knownOf(ofDay[0]).size));
    }
  }

  return {
    /** Adds new placements while there is room; afterwards, `nameOf` returns the name under which each is counted. */
    async admit(db: Kysely<Tables>, wanted: readonly DayPlacement[]): Promise<void> {
      for (const [key, [first, ...more]] of Map.groupBy(wanted.filter(mustRead), keyOf)) {
        // Waiting calls fail with the call they wait for, so nobody waits for an unavailable database twice.
        for (let other = admitting.get(key); other; other = admitting.get(key)) await other;
        if (!first || ![first, ...more].some(mustRead)) continue;
        const own = admitDay(db, [first, ...more]).finally(() => admitting.delete(key));
        admitting.set(key, own);
        await own;
      }
    },
    /** An impression without a placement has an empty one. */
    nameOf: (wanted: DayPlacement): string =>
      wanted.placement === '' || knownOf(wanted).has(wanted.placement) ? wanted.placement : OTHER_PLACEMENT,
    forget,
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
