import { createHmac, randomUUID } from 'node:crypto';
import { createApi, createMemoryStore, type Store } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-02T09:30:00.000Z');
const [SOLD, OWN] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

/** The fields that an operator can edit. Times are in hours from the edit. */
interface Edit {
  readonly starts?: number | null;
  readonly ends?: number | null;
  readonly pace?: 'even' | 'fast';
  readonly goal?: number;
  readonly perDay?: number | null;
  readonly hasPriority?: boolean;
  readonly active?: boolean;
}

const orNone = (hours: fc.Arbitrary<number>) => fc.option(hours, { freq: 4 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ starts: orNone(fc.integer({ min: -30, max: 3 })) }),
  fc.record({ ends: orNone(fc.integer({ min: 1, max: 100 })) }),
  fc.record({ pace: fc.constantFrom('even', 'even', 'fast') }),
  fc.record({ goal: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ perDay: orNone(fc.integer({ min: 1, max: 60 })) }),
  fc.record({ hasPriority: fc.constantFrom(true, true, false) }),
  fc.record({ active: fc.constantFrom(true, true, false) }),
);
const step = fc.record({
  edit,
  readers: fc.array(fc.record({ after: fc.nat(25), count: fc.nat(6) }), { maxLength: 4 }),
});

const iso = (at: number) => new Date(at).toISOString();

/** A blog with one sold ad and one of its own, and the time of its readers. */
class Site {
  now = START;
  readonly #id = randomUUID();
  readonly #store: Store;
  readonly #api: ReturnType<typeof createApi>;

  constructor(store: Store) {
    this.#store = store;
    const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url');
    const random = { uuid: randomUUID, below: () => 0 };
    this.#api = createApi({ store, hmac, random, clock: { now: () => this.now }, docsUrl: 'https://docs.example' });
  }

  async put(campaign: object, ad: object = {}): Promise<void> {
    const sold = { id: SOLD, format: 'BANNER' as const, campaignId: 'c', priority: 1, ...ad };
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring', ...campaign }];
    const ads = [sold, { id: OWN, format: 'BANNER' as const }];
    await this.#store.putBlog({ id: this.#id, name: 'B', apiKeys: [this.#id], campaigns, ads }, this.now);
  }

  /** The number of concurrent readers who get the sold ad. */
  async visit(count: number): Promise<number> {
    const request = () =>
      new Request('https://b.example/public/ads/formats/BANNER', { headers: { 'X-API-Key': this.#id } });
    const visits = Array.from({ length: count }, async () => (await this.#api.fetch(request())).json());
    return (await Promise.all(visits)).filter(({ id }) => id === SOLD).length;
  }
}

/** The promise of a campaign: the expected deliveries follow from its bounds and from its deliveries so far. */
class Model {
  readonly ad = { priority: 1, active: true };
  startsAt: number | null = null;
  endsAt: number | null = null;
  pace: 'even' | 'fast' = 'even';
  goal = 100;
  perDay: number | null = null;
  delivered = 0;
  readonly #days = new Map<string, number>();
  #plan: { readonly key: string; readonly since: number; readonly delivered: number } | undefined;

  edit({ starts, ends, hasPriority, active, ...bounds }: Edit, now: number): void {
    const before = this.startsAt;
    if (starts !== undefined) this.startsAt = starts === null ? null : now + starts * HOUR;
    if (ends !== undefined) this.endsAt = ends === null ? null : now + ends * HOUR;
    if (hasPriority !== undefined) this.ad.priority = hasPriority ? 1 : -1;
    if (active !== undefined) this.ad.active = active;
    Object.assign(this, bounds);
    if (this.startsAt === null && this.pace === 'even' && this.endsAt !== null && this.endsAt > now) {
      this.startsAt = before ?? now;
    }
  }

  get campaign() {
    const { pace, goal, perDay } = this;
    const [startsAt, endsAt] = [this.startsAt, this.endsAt].map((at) => (at === null ? null : iso(at)));
    return { startsAt, endsAt, pace, goal: { impressions: goal }, perDay };
  }

  /** The minimum and maximum number of readers who get its ad. */
  expected(readers: number, now: number): { readonly least: number; readonly most: number } {
    const { startsAt, endsAt, pace, goal, perDay, delivered, ad } = this;
    const isRunning = (startsAt ?? now) <= now && now < (endsAt ?? Number.POSITIVE_INFINITY);
    if (readers === 0 || !isRunning || !ad.active || ad.priority < 0) return { least: 0, most: 0 };
    const key = JSON.stringify([startsAt, endsAt, pace, goal]);
    if (this.#plan?.key !== key) {
      const isFirst = !this.#plan && delivered === 0 && startsAt !== null;
      this.#plan = { key, since: isFirst ? startsAt : now, delivered };
    }
    const { since, delivered: before } = this.#plan;
    const share = pace === 'even' && endsAt !== null ? (now - since) / (endsAt - since) : 1;
    const due = before + Math.max(0, goal - before) * share;
    const free = Math.max(0, Math.min(readers, goal - delivered, (perDay ?? goal) - (this.#days.get(dayOf(now)) ?? 0)));
    // Delivery goes on until the count exceeds what is due. Calculations may differ in the last digit.
    const upTo = (bound: number) => Math.max(0, Math.min(free, Math.floor(bound) + 1 - delivered));
    return { least: upTo(due - 1e-6), most: upTo(due + 1e-6) };
  }

  deliver(count: number, now: number): void {
    this.delivered += count;
    this.#days.set(dayOf(now), (this.#days.get(dayOf(now)) ?? 0) + count);
  }
}

const dayOf = (at: number) => iso(at).slice(0, 10);

/** A campaign that is edited a hundred times delivers whenever it is behind its plan, and never beyond its bounds. */
const keepsItsPromise = async (open: () => Store, numRuns: number) => {
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
        const site = new Site(open());
        const model = new Model();
        for (const { edit: change, readers } of steps) {
          model.edit(change, site.now);
          await site.put(model.campaign, model.ad);
          for (const { after, count } of readers) {
            site.now += after * MINUTE;
            const { least, most } = model.expected(count, site.now);
            const sold = await site.visit(count);
            expect(sold).toBeGreaterThanOrEqual(least);
            expect(sold).toBeLessThanOrEqual(most);
            model.deliver(sold, site.now);
          }
        }
      }),
      { seed, numRuns },
    );
};

/** Regardless of the traffic of the last weeks, a campaign with enough readers reaches its goal by its end. */
const reachesItsGoal = async (open: () => Store, numRuns: number) => {
  for (const seed of seedsOf())
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 20, maxLength: 90 }),
        fc.array(fc.record({ hours: fc.integer({ min: 1, max: 9 }), ends: fc.integer({ min: 2, max: 10 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (traffic, edits) => {
          const site = new Site(open());
          await site.put({ goal: { impressions: 1 }, startsAt: iso(START + 99 * DAY) });
          for (const readers of traffic) {
            await site.visit(readers);
            site.now += 5 * HOUR;
          }
          let endsAt = 0;
          let sold = 0;
          for (const { hours, ends } of edits) {
            endsAt = site.now + ends * DAY;
            await site.put({ goal: { impressions: 100 }, startsAt: iso(START), endsAt: iso(endsAt) });
            for (let hour = 0; hour < hours; hour += 1) {
              sold += await site.visit(3);
              site.now += HOUR;
            }
          }
          for (; site.now < endsAt; site.now += 4 * HOUR) sold += await site.visit(8);
          site.now = endsAt - 1;
          for (let visits = 0; visits < 20; visits += 1) sold += await site.visit(8);
          expect(sold).toBe(100);
        },
      ),
      { seed, numRuns },
    );
};

const TIME = { timeout: 300_000 };

/** Edits and sells campaigns at random: this many histories on each database, and ten times as many in memory. */
export function describeCampaignEdits(histories: number): void {
  test('a campaign that is edited a hundred times keeps its promise in memory', TIME, () =>
    keepsItsPromise(createMemoryStore, 10 * histories),
  );
  test('a campaign reaches its goal in memory', TIME, () => reachesItsGoal(createMemoryStore, 5 * histories));

  describeDatabases('a campaign', (database) => {
    test('a campaign that is edited a hundred times keeps its promise', TIME, async () => {
      const store = await openStore(database.url);
      onTestFinished(() => store.close());
      await keepsItsPromise(() => store, histories);
    });
    test('reaches its goal', TIME, async () => {
      const store = await openStore(database.url);
      onTestFinished(() => store.close());
      await reachesItsGoal(() => store, histories);
    });
  });
}
