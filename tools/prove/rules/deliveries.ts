import type { ProvenBlog } from '../content.ts';
import type { DeliveryEntry, SlotEntry } from '../history.ts';
import { claimsOf } from '../tokens.ts';
import { type BlogHistory, daysOf } from './rule.ts';

/** The impressions that one idempotency key, or one request without a key, may have counted. */
export interface Delivery {
  readonly entries: readonly DeliveryEntry[];
  /** The slots with their ads, if a response was read. */
  readonly slots: readonly SlotEntry[];
  /** The slots that may have been counted, because no response was read. */
  readonly open: readonly SlotEntry[];
  /** The days on which it may have been counted. */
  readonly days: readonly string[];
  /** From the start of its first attempt to the first response that was read. */
  readonly start: number;
  readonly end: number;
}

const merged = new WeakMap<BlogHistory, readonly Delivery[]>();

/** Combines the requests with one key, which count once. */
export function deliveriesOf(history: BlogHistory): readonly Delivery[] {
  const known = merged.get(history);
  if (known) return known;
  const groups = Map.groupBy(history.of('delivery'), (entry) => entry.key ?? entry);
  const deliveries = [...groups.values()].map((entries) => merge(entries, history.blog));
  merged.set(history, deliveries);
  return deliveries;
}

function merge(entries: readonly DeliveryEntry[], blog: ProvenBlog): Delivery {
  const first = entries.find(({ outcome }) => outcome === 'ok');
  // Until the first acknowledged response, any attempt may be the one that counted.
  const unknown = first ? undefined : entries.find(({ outcome }) => outcome === 'unknown');
  const until = entries.slice(0, first ? entries.indexOf(first) + 1 : entries.length);
  const days = daysOf(blog, Math.min(...until.map(({ from }) => from)), Math.max(...until.map(({ to }) => to)));
  const start = Math.min(...until.map((entry) => entry.start));
  const end = Math.max(...until.map((entry) => entry.end));
  return { entries, slots: first?.slots ?? [], open: unknown?.slots ?? [], days, start, end };
}

/** The number of impressions of a campaign that a response acknowledged and that count for it. */
export function validOf({ slots }: Delivery, blog: ProvenBlog, campaign: string): number {
  return slots.filter(({ token }) => {
    if (token === undefined) return false;
    const { ad, isValid } = claimsOf(token);
    return isValid && blog.ads[ad]?.campaign === campaign;
  }).length;
}
