import { LIMITS } from '@broadsheet/contract';
import {
  hourOf,
  type Impression,
  isCountedByItself,
  isExcluded,
  OTHER_PLACEMENT,
  TRAFFIC_HOURS,
} from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import sql, { bulk } from 'sql-template-tag';
import type { Database } from '../database.ts';
import { chunks, type Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { adding, type EventTransaction, insertInto, ROWS, TOTAL } from './dialect.ts';
import type { TrafficCache } from './traffic.ts';

/** A day of a blog. */
interface BlogDay {
  readonly blogId: string;
  readonly day: string;
}

/** The fields of an impression, or of a slot that stayed empty, under which it is counted. */
interface CountedEvent extends BlogDay, Omit<Impression, 'adId'> {
  readonly adId?: string | undefined;
}

type Count = Tables['counts'];
const COUNTERS = ['delivered', 'viewable', 'clicks'] as const;

/** A transaction in which events are counted. */
export interface EventWriter extends EventTransaction {
  readonly placements: Placements;
  readonly traffic: TrafficCache;
}

/** Adds up events by the rows that count them, so that a group of events writes few rows. */
export class Tally {
  /** By day and blog, then by placement, then by ad, campaign and traffic. */
  readonly #days = new Map<string, BlogDay & { readonly placements: Map<string, Map<string, Count>> }>();
  readonly #campaigns = new Map<string, Tables['campaign_counts']>();
  readonly #hours = new Map<string, Tables['hour_counts']>();

  /** Counts an event, and also for its campaign unless its traffic is excluded. */
  add(event: CountedEvent, what: (typeof COUNTERS)[number]): void {
    const { blogId, day, adId: ad_id = '', campaignId: campaign_id = '', placement = '', traffic = 'valid' } = event;
    const key = keyOf(event);
    const ofDay = this.#days.get(key) ?? { blogId, day, placements: new Map() };
    this.#days.set(key, ofDay);
    const ofPlacement = ofDay.placements.get(placement) ?? new Map<string, Count>();
    ofDay.placements.set(placement, ofPlacement);
    // The id of an ad has 36 characters, so the concatenation is unambiguous.
    const ad = `${ad_id}${campaign_id} ${traffic}`;
    const row = ofPlacement.get(ad) ?? {
      ...{ blog_id: blogId, day, ad_id, campaign_id, placement, traffic, delivered: 0, viewable: 0, clicks: 0 },
    };
    ofPlacement.set(ad, row);
    row[what] += 1;
    if (campaign_id === '' || what === 'viewable' || isExcluded(event)) return;
    for (const counted of [TOTAL, day]) {
      const campaign = JSON.stringify([blogId, campaign_id, counted]);
      const row = this.#campaigns.get(campaign) ?? {
        ...{ blog_id: blogId, campaign_id, day: counted, impressions: 0, clicks: 0 },
      };
      this.#campaigns.set(campaign, row);
      row[what === 'clicks' ? 'clicks' : 'impressions'] += 1;
    }
  }

  /** Counts a delivery for the usual traffic of its blog. */
  addHour(blog_id: string, at: number): void {
    const hour = hourOf(at);
    // Not by day, because in some time zones a day begins in the middle of an hour.
    const key = `${hour} ${blog_id}`;
    const row = this.#hours.get(key) ?? { blog_id, place: hour % TRAFFIC_HOURS, hour, deliveries: 0 };
    this.#hours.set(key, row);
    row.deliveries += 1;
  }

  /** Writes what was counted, in the order in which every process locks the tables; see `EVENT_TABLES`. */
  async write(writer: EventWriter): Promise<void> {
    // On PostgreSQL, they are sent together, and run in this order.
    await Promise.all([
      insertCampaignCounts(writer, [...this.#campaigns.values()]),
      insertCounts(writer, this.#counts(writer.placements)),
      insertHours(writer, [...this.#hours.values()]),
    ]);
  }

  /** The rows of counts. All placements of a day that are not counted separately share rows. */
  #counts(placements: Placements): Count[] {
    const rows: Count[] = [];
    for (const ofDay of this.#days.values()) {
      const own = placements.namesOf(ofDay);
      const others = new Map<string, Count>();
      for (const [placement, counts] of ofDay.placements) {
        if (placement === '' || own.has(placement)) rows.push(...counts.values());
        else addUp(others, counts);
      }
      rows.push(...others.values());
    }
    return rows;
  }
}

/** Adds the counts of a placement that is not counted separately to those of the others. */
function addUp(others: Map<string, Count>, counts: ReadonlyMap<string, Count>): void {
  for (const [key, count] of counts) {
    const sum = others.get(key) ?? { ...count, placement: OTHER_PLACEMENT, delivered: 0, viewable: 0, clicks: 0 };
    for (const what of COUNTERS) sum[what] += count[what];
    others.set(key, sum);
  }
}

const insertCampaignCounts = insertInto('campaign_counts', adding('campaign_counts'));
const insertCounts = insertInto('counts', adding('counts'));
/**
 * Adds deliveries of an hour to an existing row, or replaces the row if it belongs to the same hour two weeks earlier.
 */
const insertHours = insertInto(
  'hour_counts',
  sql`on conflict (blog_id, place) do update set hour = excluded.hour,
    deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end
    where hour_counts.hour <= excluded.hour`,
);

/** The number of days of blogs whose placements are cached. */
const MAX_DAYS = 20_000;
/** The number of characters of a day. */
const DAY_LENGTH = 10;

// Days have the same length, so the concatenation is unambiguous.
const keyOf = ({ blogId, day }: BlogDay): string => day + blogId;

/** The placements of a blog on a day, and the epoch at which they were read; `undefined` if they must be read again. */
interface CachedDay {
  names: ReadonlySet<string>;
  epoch: number | undefined;
}

type Placements = ReturnType<typeof createPlacements>;

/** Placements of a blog on a day; events without a placement have an empty one. */
export interface DayPlacements extends BlogDay {
  readonly names: readonly (string | undefined)[];
}

/**
 * A cache of the placements that blogs count separately. They are read again after the blog has changed, because it may
 * have been deleted and created anew. They are added in transactions of their own, before the events that name them:
 * otherwise, processes that count the first events of a day would wait for the commits of each other.
 */
export function createPlacements({ reader, transact, changes: { epoch } }: Database) {
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const days = new LRUCache<string, CachedDay>({ maxSize: MAX_DAYS, sizeCalculation: () => 1 });
  let admitting: Promise<void> | undefined;
  const namesOf = (of: BlogDay): ReadonlySet<string> => days.get(keyOf(of))?.names ?? new Set<string>();

  function mustRead(wanted: DayPlacements): boolean {
    const cached = days.get(keyOf(wanted));
    return newNames(wanted, cached?.epoch === epoch() ? cached.names : new Set()).length > 0;
  }

  /** Reads the names of days, and adds the missing ones: one statement and one transaction for all blogs. */
  async function admitDays(wanted: readonly DayPlacements[]): Promise<void> {
    for (let open = wanted.map((day) => ({ day, before: -1 })); open.length > 0; ) {
      // The entries are cached before the read, so that they are read again if the blog is written in the meantime.
      const cached = new Map(open.map(({ day }) => [keyOf(day), { names: namesOf(day), epoch: epoch() } as CachedDay]));
      for (const [key, day] of cached) days.set(key, day);
      const found = await readNames(
        reader,
        open.map(({ day }) => day),
      );
      for (const [key, day] of cached) day.names = found.get(key) ?? new Set();
      const missing = open.flatMap(({ day, before }): MissingNames[] => {
        const names = found.get(keyOf(day)) ?? new Set();
        const fresh = [...new Set(newNames(day, names))];
        // If names are still missing, another process took the numbers; if none was added at all, the blog does not
        // exist.
        if (fresh.length === 0 || names.size === before) return [];
        // If names arrive together, the first ones get the remaining room.
        return [{ day, before: names.size, names: fresh.slice(0, LIMITS.placements - names.size) }];
      });
      if (missing.length > 0) await transact((db) => addNames(db, missing), { for: 'together' });
      open = missing;
    }
  }

  return {
    /** Adds new placements while there is room; afterwards, `namesOf` returns those that are counted separately. */
    async admit(events: readonly DayPlacements[]): Promise<void> {
      for (let missing = merged(events.filter(mustRead)); missing.length > 0; missing = missing.filter(mustRead)) {
        // Waiting calls fail with the call they wait for, so nobody waits for an unavailable database twice.
        if (admitting) await admitting;
        else {
          admitting = admitDays(missing).finally(() => {
            admitting = undefined;
          });
          return admitting;
        }
      }
    },
    /** The placements that a blog counts separately on a day, as far as they were admitted. */
    namesOf,
    /** Marks the names of a blog, or of all blogs, as outdated. They stay, because a commit may be using them. */
    forget(blogId?: string): void {
      for (const [key, day] of days.entries()) {
        if (blogId === undefined || key.slice(DAY_LENGTH) === blogId) day.epoch = undefined;
      }
    },
  };
}

/** The names that a blog does not count separately yet, but may. */
const newNames = ({ names }: DayPlacements, known: ReadonlySet<string>) =>
  names.filter((name = '') => name !== '' && !known.has(name) && isCountedByItself(name, known));

/** The same days, each once, with all of their names. */
const merged = (events: readonly DayPlacements[]): DayPlacements[] =>
  [...Map.groupBy(events, keyOf).values()].flatMap((all) =>
    all.slice(0, 1).map((day) => ({ ...day, names: all.flatMap(({ names }) => names) })),
  );

/** New names of a day, and the number of names that it had. */
interface MissingNames {
  readonly day: DayPlacements;
  readonly before: number;
  readonly names: readonly (string | undefined)[];
}

/** The names of days, by their keys. */
async function readNames(db: Db, wanted: readonly BlogDay[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = new Map<string, Set<string>>(wanted.map((day) => [keyOf(day), new Set()]));
  for (const some of chunks(wanted, ROWS)) {
    const rows = await db<{ blog_id: string; day: string; placement: string }>`
      select blog_id, day, placement from placements
      where (blog_id, day) in (values ${bulk(some.map(({ blogId, day }) => [blogId, day]))})`;
    for (const { blog_id: blogId, day, placement } of rows) names.get(keyOf({ blogId, day }))?.add(placement);
  }
  return names;
}

/** Gives new names the next numbers of their days, unless none is left or another process takes them first. */
async function addNames(db: Db, missing: readonly MissingNames[]): Promise<void> {
  const rows = missing.flatMap(({ day: { blogId, day }, names }) => names.map((name) => [blogId, day, name]));
  for (const some of chunks(rows, ROWS)) {
    await db`
      insert into placements (blog_id, day, number, placement)
      select blog_id, day, number, name from (
        select column1 as blog_id, column2 as day, column3 as name,
          row_number() over (partition by column1, column2 order by column3)
            + (select coalesce(max(number), 0) from placements where blog_id = column1 and day = column2) as number
        from (values ${bulk(some)}) as fresh
      ) as numbered
      where number <= ${LIMITS.placements} and exists (select 1 from blogs where blogs.blog_id = numbered.blog_id)
      order by blog_id, day, number
      on conflict do nothing`;
  }
}
