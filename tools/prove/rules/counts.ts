import type { BeaconEntry, ClickEntry, Entry, SlotEntry } from '../history.ts';
import { type Claims, claimsOf } from '../tokens.ts';
import { type Delivery, deliveriesOf } from './deliveries.ts';
import { type BlogHistory, type Counted, daysOf, type Rule, type Verdict } from './rule.ts';

/** Something that may have been counted, with the values that it may have. */
interface Countable {
  readonly ads: readonly string[];
  readonly days: readonly string[];
  /** Absent for a delivery of a single ad. */
  readonly placement: string | undefined;
  readonly traffic: readonly string[];
  /** Whether it was acknowledged. */
  readonly isSure: boolean;
  readonly entries: readonly Entry[];
}

type Dimension = 'ad and day' | 'format' | 'campaign' | 'placement' | 'traffic';

/** The values that an event may have in each dimension. */
const VALUES: Readonly<Record<Dimension, (event: Countable, history: BlogHistory) => readonly string[]>> = {
  'ad and day': ({ ads, days }) => ads.flatMap((ad) => days.map((day) => `${ad} on ${day}`)),
  format: ({ ads }, { blog }) => unique(ads.map((ad) => blog.ads[ad]?.format ?? 'none')),
  campaign: ({ ads }, { blog }) => unique(ads.map((ad) => blog.ads[ad]?.campaign ?? 'none')),
  placement: ({ placement }) => (placement === undefined ? [] : [placement]),
  traffic: ({ traffic }) => traffic,
};

/** The counts of each value, as the figures say. */
function countedBy(dimension: Dimension, { blog, figures }: BlogHistory, what: keyof Counted): Map<string, number> {
  const { days, placements, campaigns, excluded, unknown } = figures;
  const ofAd = (adId: string) => blog.ads[adId];
  const rows: Readonly<Record<Dimension, () => (readonly [string, number])[]>> = {
    'ad and day': () => days.map((row) => [`${row.adId} on ${row.day}`, row[what]]),
    format: () => days.map((row) => [ofAd(row.adId)?.format ?? 'none', row[what]]),
    campaign: () => [
      ...campaigns.map((row) => [row.id, row[what]] as const),
      ...days.filter(({ adId }) => !ofAd(adId)?.campaign).map((row) => ['none', row[what]] as const),
    ],
    placement: () => placements.map((row) => [row.placement, row[what]]),
    traffic: () => {
      const others = [...excluded, ...unknown].map(({ reason, impressions }) => [reason, impressions] as const);
      const all = days.reduce((sum, row) => sum + row.delivered, 0);
      return [...others, ['valid', all - others.reduce((sum, [, count]) => sum + count, 0)]];
    },
  };
  const sums = new Map<string, number>();
  for (const [value, count] of rows[dimension]()) sums.set(value, (sums.get(value) ?? 0) + count);
  return sums;
}

/** Compares the counts of each value with the events that certainly have it, and with those that may have it. */
function compare(
  dimension: Dimension,
  what: keyof Counted,
  eventsOf: (history: BlogHistory) => readonly Countable[],
): Rule['check'] {
  return (history): Verdict => {
    const counted = countedBy(dimension, history, what);
    const ranges = new Map<string, { least: number; most: number; entries: Entry[] }>();
    for (const event of eventsOf(history)) {
      const values = VALUES[dimension](event, history);
      for (const value of values) {
        const range = ranges.get(value) ?? { least: 0, most: 0, entries: [] };
        ranges.set(value, range);
        range.most += 1;
        if (event.isSure && values.length === 1) range.least += 1;
        else range.entries.push(...event.entries);
      }
    }
    const values = unique([...counted.keys(), ...ranges.keys()]);
    const found = values.flatMap((value) => {
      const { least, most, entries } = ranges.get(value) ?? { least: 0, most: 0, entries: [] };
      const count = counted.get(value) ?? 0;
      if (least <= count && count <= most) return [];
      return [{ text: `${history.blog.id}, ${dimension} ${value}: ${least} <= ${count} <= ${most}`, entries }];
    });
    return { chances: values.length, found };
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const KINDS_OF_TRAFFIC = ['valid', 'unknown', 'bot', 'prefetch', 'foreign', 'burst'];

const impressionsOf = (history: BlogHistory): readonly Countable[] =>
  deliveriesOf(history).flatMap((delivery) => [
    ...delivery.slots.flatMap(({ token, placement }) =>
      token === undefined ? [] : [impressionOf(claimsOf(token), placement, delivery)],
    ),
    ...delivery.open.map((slot) => openImpression(slot, delivery, history)),
  ]);

const impressionOf = ({ ad, traffic }: Claims, placement: string | undefined, delivery: Delivery): Countable => ({
  ...{ ads: [ad], days: delivery.days, placement, traffic: [traffic] },
  ...{ isSure: true, entries: delivery.entries },
});

const openImpression = (slot: SlotEntry, { days, entries }: Delivery, { blog }: BlogHistory): Countable => ({
  ads: Object.entries(blog.ads).flatMap(([ad, { format }]) => (format === slot.format ? ad : [])),
  ...{ days, placement: slot.placement, traffic: KINDS_OF_TRAFFIC, isSure: false, entries },
});

/** What a token stands for, as its delivery shows: the placement that was requested, and the days of the delivery. */
interface Delivered {
  readonly claims: Claims;
  readonly placement: string | undefined;
  readonly days: readonly string[];
}

const delivered = new WeakMap<BlogHistory, ReadonlyMap<string, Delivered>>();

/** The deliveries of tokens, by the id that all tokens of a delivery share. */
function deliveredTokens(history: BlogHistory): ReadonlyMap<string, Delivered> {
  const known = delivered.get(history);
  if (known) return known;
  const tokens = new Map<string, Delivered>();
  for (const { slots, days } of deliveriesOf(history)) {
    for (const { token, placement } of slots) {
      if (token === undefined) continue;
      const claims = claimsOf(token);
      tokens.set(claims.id, { claims, placement, days });
    }
  }
  delivered.set(history, tokens);
  return tokens;
}

/** The clicks of each token, on the days of the attempts of which one may have been counted. */
function clicksOf(history: BlogHistory): readonly Countable[] {
  const tokens = deliveredTokens(history);
  return [...Map.groupBy(history.of('click'), ({ token }) => claimsOf(token).id)].flatMap(([id, entries]) => {
    const acknowledged = entries.filter(({ outcome }) => outcome === 'ok');
    const possible = acknowledged.length > 0 ? acknowledged : entries.filter(({ outcome }) => outcome === 'unknown');
    const token = tokens.get(id);
    if (possible.length === 0 || !token?.claims.isValid) return [];
    const days = unique(possible.flatMap(({ from, to }: ClickEntry) => daysOf(history.blog, from, to)));
    return [tokenEvent({ ...token, days }, acknowledged.length > 0, entries)];
  });
}

/** The reports of each token: they are counted on the day of the delivery. */
function viewsOf(history: BlogHistory): readonly Countable[] {
  const tokens = deliveredTokens(history);
  const reports = history.of('beacon').flatMap((entry) => entry.tokens.map((token) => ({ entry, token })));
  return [...Map.groupBy(reports, ({ token }) => claimsOf(token).id)].flatMap(([id, own]) => {
    const token = tokens.get(id);
    if (!token?.claims.isValid) return [];
    const entries = own.map(({ entry }): BeaconEntry => entry);
    const isSure = entries.some(({ outcome }) => outcome === 'ok');
    return [tokenEvent(token, isSure, entries)];
  });
}

const tokenEvent = (
  { claims: { ad, traffic }, placement, days }: Delivered,
  isSure: boolean,
  entries: readonly Entry[],
): Countable => ({ ads: [ad], days, placement, traffic: [traffic], isSure, entries });

const EVENTS = { delivered: impressionsOf, clicks: clicksOf, viewable: viewsOf };
const NAMES = { delivered: 'impressions', clicks: 'clicks', viewable: 'viewable impressions' };

function counting(what: keyof typeof EVENTS, ...dimensions: readonly Dimension[]): Rule[] {
  return dimensions.map((dimension) => ({
    promise: `acknowledged <= counted <= sent: ${NAMES[what]} by ${dimension}`,
    check: compare(dimension, what, EVENTS[what]),
  }));
}

/** Acknowledged events are counted, and nothing is counted that was not sent. */
export const COUNTS: readonly Rule[] = [
  ...counting('delivered', 'ad and day', 'format', 'campaign', 'placement', 'traffic'),
  ...counting('clicks', 'ad and day', 'campaign', 'placement'),
  ...counting('viewable', 'ad and day', 'campaign', 'placement'),
  {
    promise: 'the figures of a campaign are the sum of its ads',
    check({ blog, figures }) {
      const found = blog.campaigns.flatMap(({ id }) =>
        (['valid', 'delivered', 'viewable', 'clicks'] as const).flatMap((what) => {
          const rows = figures.days.filter(({ adId }) => blog.ads[adId]?.campaign === id);
          const sum = rows.reduce((total, row) => total + row[what], 0);
          const reported = figures.campaigns.find((row) => row.id === id)?.[what] ?? 0;
          if (reported === sum) return [];
          return [{ text: `${id}, ${what}: its figures say ${reported}, those of its ads ${sum}` }];
        }),
      );
      return { chances: blog.campaigns.length, found };
    },
  },
];
