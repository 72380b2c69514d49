import { LIMITS } from '@broadsheet/contract';
import { isCountedByItself, OTHER_PLACEMENT } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { bulk } from 'sql-template-tag';
import type { Changes, Transact } from '../database.ts';
import type { Db } from '../sql.ts';

/** Placements of a blog on a day; events without a placement have an empty one. */
export interface DayPlacements {
  readonly blogId: string;
  readonly day: string;
  readonly names: readonly (string | undefined)[];
}

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
 * have been deleted and created anew. They are added in transactions of their own, before the events that name them.
 */
export function createPlacements(reader: Db, transact: Transact, changes: Pick<Changes, 'epoch' | 'listen'>) {
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const days = new LRUCache<string, CachedDay>({ maxSize: MAX_DAYS, sizeCalculation: () => 1 });
  const admitting = new Map<string, Promise<void>>();
  // Days have the same length, so the concatenation is unambiguous.
  const keyOf = ({ blogId, day }: Omit<DayPlacements, 'names'>) => day + blogId;
  const knownOf = (wanted: Omit<DayPlacements, 'names'>) => days.get(keyOf(wanted))?.names ?? new Set<string>();
  const newNames = ({ names }: DayPlacements, known: ReadonlySet<string>) =>
    names.filter((name = '') => name !== '' && !known.has(name) && isCountedByItself(name, known));

  function mustRead(wanted: DayPlacements): boolean {
    const cached = days.get(keyOf(wanted));
    if (cached?.epoch === changes.epoch()) return newNames(wanted, cached.names).length > 0;
    return wanted.names.some((name = '') => name !== '');
  }

  /** Names stay until they have been read again, because a commit may be using them. */
  function forget(blogId: string | undefined): void {
    for (const [key, day] of days.entries()) {
      if (blogId === undefined || key.slice(DAY_LENGTH) === blogId) day.epoch = undefined;
    }
  }
  changes.listen(forget);

  async function admitDay(wanted: DayPlacements): Promise<void> {
    for (let before = -1; ; before = knownOf(wanted).size) {
      // The entry is cached before the read, so that it is read again if the blog is written in the meantime.
      const day: CachedDay = { names: knownOf(wanted), epoch: changes.epoch() };
      days.set(keyOf(wanted), day);
      day.names = await readNames(reader, wanted);
      const missing = [...new Set(newNames(wanted, day.names))];
      // If names are still missing, another process took the numbers; if none was added at all, the blog does not
      // exist.
      if (missing.length === 0 || day.names.size === before) return;
      // If names arrive together, the first ones get the remaining room.
      const names = missing.slice(0, LIMITS.placements - day.names.size);
      await transact((db) => addNames(db, wanted, names));
    }
  }

  return {
    /** Adds new placements while there is room; afterwards, `nameOf` returns the name under which each is counted. */
    async admit(events: readonly DayPlacements[]): Promise<void> {
      for (const [key, [first, ...more]] of Map.groupBy(events.filter(mustRead), keyOf)) {
        if (!first) continue;
        const wanted = { ...first, names: [first, ...more].flatMap(({ names }) => names) };
        // Waiting calls fail with the call they wait for, so nobody waits for an unavailable database twice.
        for (let other = admitting.get(key); other; other = admitting.get(key)) await other;
        if (!mustRead(wanted)) continue;
        const own = admitDay(wanted).finally(() => admitting.delete(key));
        admitting.set(key, own);
        await own;
      }
    },
    /** The name under which a placement is counted. */
    nameOf: (blogId: string, day: string, name: string): string =>
      name === '' || knownOf({ blogId, day }).has(name) ? name : OTHER_PLACEMENT,
    forget,
  };
}

async function readNames(db: Db, { blogId, day }: DayPlacements): Promise<ReadonlySet<string>> {
  const rows = await db<{ placement: string }>`
    select placement from placements where blog_id = ${blogId} and day = ${day}`;
  return new Set(rows.map(({ placement }) => placement));
}

/** Gives new names the next numbers of the day, unless none is left or another process takes them first. */
async function addNames(db: Db, { blogId, day }: DayPlacements, names: readonly (string | undefined)[]): Promise<void> {
  await db`
    insert into placements (blog_id, day, number, placement)
    select ${blogId}, ${day}, number, name from (
      select column1 as name, row_number() over (order by column1)
        + (select coalesce(max(number), 0) from placements where blog_id = ${blogId} and day = ${day}) as number
      from (values ${bulk(names.map((name) => [name]))}) as fresh
    ) as numbered
    where number <= ${LIMITS.placements} and exists (select 1 from blogs where blog_id = ${blogId})
    on conflict do nothing`;
}
