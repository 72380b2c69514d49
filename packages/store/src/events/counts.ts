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
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { adding, type EventTransaction, insertInto } from './dialect.ts';

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
    const campaign = JSON.stringify([blogId, campaign_id, day]);
    const counted = this.#campaigns.get(campaign) ?? { blog_id: blogId, campaign_id, day, impressions: 0, clicks: 0 };
    this.#campaigns.set(campaign, counted);
    counted[what === 'clicks' ? 'clicks' : 'impressions'] += 1;
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
  const admitting = new Map<string, Promise<void>>();
  const namesOf = (of: BlogDay): ReadonlySet<string> => days.get(keyOf(of))?.names ?? new Set<string>();

  function mustRead(wanted: DayPlacements): boolean {
    const cached = days.get(keyOf(wanted));
    return newNames(wanted, cached?.epoch === epoch() ? cached.names : new Set()).length > 0;
  }

  async function admitDay(wanted: DayPlacements): Promise<void> {
    for (let before = -1; ; before = namesOf(wanted).size) {
      // The entry is cached before the read, so that it is read again if the blog is written in the meantime.
      const day: CachedDay = { names: namesOf(wanted), epoch: epoch() };
      days.set(keyOf(wanted), day);
      day.names = await readNames(reader, wanted);
      const missing = [...new Set(newNames(wanted, day.names))];
      // If names are still missing, another process took the numbers; if none was added at all, the blog does not
      // exist.
      if (missing.length === 0 || day.names.size === before) return;
      // If names arrive together, the first ones get the remaining room.
      const names = missing.slice(0, LIMITS.placements - day.names.size);
      await transact((db) => addNames(db, wanted, names), { for: 'together' });
    }
  }

  return {
    /** Adds new placements while there is room; afterwards, `namesOf` returns those that are counted separately. */
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

async function readNames(db: Db, { blogId, day }: BlogDay): Promise<ReadonlySet<string>> {
  const rows = await db<{ placement: string }>`
    select placement from placements where blog_id = ${blogId} and day = ${day}`;
  return new Set(rows.map(({ placement }) => placement));
}

/** Gives new names the next numbers of the day, unless none is left or another process takes them first. */
async function addNames(db: Db, { blogId, day }: BlogDay, names: readonly (string | undefined)[]): Promise<void> {
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
