import { LIMITS } from '@broadsheet/contract';
import { isCountedByItself, OTHER_PLACEMENT } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { chunks } from '../chunks.ts';
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
const MAX_DAYS = 20_000;
/** Rows of one statement: databases bound the number of parameters. */
const ROWS = 500;

export function createPlacements(): Placements {
  const days = new LRUCache<string, ReadonlySet<string>>({ max: MAX_DAYS });
  let admitting: Promise<void> | undefined;
  // A day has ten characters, whatever the blog is called.
  const keyOf = ({ blogId, day }: DayPlacement) => day + blogId;
  const isKnown = (wanted: DayPlacement) => days.get(keyOf(wanted))?.has(wanted.placement) ?? false;
  const isNew = (wanted: DayPlacement) =>
    !isKnown(wanted) && isCountedByItself(wanted.placement, days.get(keyOf(wanted)) ?? new Set());

  async function admitAll(db: Kysely<Tables>, fresh: readonly DayPlacement[]): Promise<void> {
    const ofDays = [...Map.groupBy(fresh, keyOf).values()];
    for (let before = -1; ; ) {
      const known = await readPlacements(
        db,
        ofDays.flatMap(([first]) => first ?? []),
      );
      for (const [first] of ofDays) if (first) days.set(keyOf(first), known.get(keyOf(first)) ?? new Set());
      const missing = ofDays.flatMap((ofDay) => numbered(ofDay.filter(isNew)));
      const total = [...known.values()].reduce((sum, { size }) => sum + size, 0);
      // Other processes may have taken the numbers; where nobody has, the blog is not there.
      if (missing.length === 0 || total === before) return;
      before = total;
      for (const some of chunks(missing, ROWS)) await addPlacements(db, some);
    }
  }

  /** New placements of a day with the numbers they are to take. */
  function numbered(fresh: readonly DayPlacement[]): NumberedPlacement[] {
    const [first] = fresh;
    if (!first) return [];
    const taken = days.get(keyOf(first))?.size ?? 0;
    return [...new Set(fresh.map(({ placement }) => placement))]
      .slice(0, LIMITS.placements - taken)
      .map((placement, index) => ({ ...first, placement, number: taken + index + 1 }));
  }

  async function readPlacements(
    db: Kysely<Tables>,
    ofDays: readonly DayPlacement[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const known = new Map<string, Set<string>>();
    for (const some of chunks(ofDays, ROWS)) {
      const pairs = sql.join(some.map(({ blogId, day }) => sql`(${blogId}, ${day})`));
      const { rows } = await sql<{ blog_id: string; day: string; placement: string }>`
        select blog_id, day, placement from placements where (blog_id, day) in (values ${pairs})`.execute(db);
      for (const { blog_id: blogId, day, placement } of rows) {
        const key = keyOf({ blogId, day, placement });
        known.set(key, (known.get(key) ?? new Set()).add(placement));
      }
    }
    return known;
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

interface NumberedPlacement extends DayPlacement {
  readonly number: number;
}

/** Takes numbers for placements, unless another process was quicker; those of a blog that is not there get none. */
async function addPlacements(db: Kysely<Tables>, placements: readonly NumberedPlacement[]): Promise<void> {
  const rows = placements.map(
    ({ blogId, day, number, placement }) => sql`(${blogId}, ${day}, cast(${number} as bigint), ${placement})`,
  );
  // In one order for everybody, so that no two processes wait for each other in a circle.
  await sql`
    insert into placements (blog_id, day, number, placement)
    select column1, column2, column3, column4 from (values ${sql.join(rows)}) as fresh
    where exists (select 1 from blogs where blogs.blog_id = column1)
    order by column1, column2, column3
    on conflict do nothing`.execute(db);
}
