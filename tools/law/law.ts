// The law of counting, written once more from docs/decided.md. It imports nothing of the product, so that the same
// mistake is not made on both sides of a comparison.
import type { LawAd, LawBlog, LawCampaign, LawCounts, LawRow, LawSlot, LawToken, LawTraffic, Signs } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Hours of a week. */
const WEEK = 168;

/** What was counted for a blog so far, and what it depends on. */
export interface Ledger {
  readonly rows: Map<string, LawCounts>;
  /** Impressions and clicks of readers by campaign, in total and by day. */
  readonly progress: Map<string, { impressions: number; clicks: number; readonly days: Map<string, number> }>;
  /** Deliveries to readers by hour since the epoch. */
  readonly hours: Map<number, number>;
  readonly keys: Map<string, KeyUse>;
  readonly used: Set<string>;
  readonly viewed: Set<string>;
  /** The last counted click of a visitor on an ad. */
  readonly clicked: Map<string, number>;
}

/** A delivery with an idempotency key. */
export interface KeyUse {
  readonly at: number;
  readonly body: string;
  readonly ads: readonly (string | undefined)[];
  readonly rows: readonly LawRow[];
}

export const emptyLedger = (): Ledger => ({
  ...{ rows: new Map(), progress: new Map(), hours: new Map(), keys: new Map() },
  ...{ used: new Set(), viewed: new Set(), clicked: new Map() },
});

// "Impressions, clicks, viewable impressions and daily caps are counted by the day in the time zone of the blog."

const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, string>();

export function dayOf(at: number, timeZone: string): string {
  // No time zone changes its day or its offset within a minute.
  const key = `${Math.floor(at / MINUTE)} ${timeZone}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  const day = format.format(at);
  if (days.size > 100_000) days.clear();
  days.set(key, day);
  return day;
}

// "By the first rule that applies: a page of another site (foreign), Sec-Purpose (prefetch), no User-Agent, or exactly
// the default one of Node … (unknown), isbot (bot), a blog with domains and no page (foreign), too many deliveries."

const SERVERS = ['node', 'undici', 'Cloudflare-Workers'];
const MOST_PER_MINUTE = { visitor: 60, server: 600 };

/** The requests of visitors within the current minute, in one process. */
export type Visits = Map<string, number>;

export function trafficOf(blog: LawBlog, signs: Signs, at: number, visits: Visits): LawTraffic {
  const { origin, userAgent, purpose, visitor } = signs;
  const isForeign = !isOwnPage(blog, origin);
  if (isForeign && origin !== undefined) return 'foreign';
  if (purpose?.includes('prefetch')) return 'prefetch';
  const isServer = userAgent === undefined || SERVERS.includes(userAgent);
  if (!isServer && userAgent.includes('bot')) return 'bot';
  if (!isServer && isForeign) return 'foreign';
  const from = isServer ? 'server' : 'visitor';
  const key = [Math.floor(at / MINUTE), from, blog.id, visitor].join(' ');
  const count = (visits.get(key) ?? 0) + 1;
  visits.set(key, count);
  if (count > MOST_PER_MINUTE[from]) return 'burst';
  return isServer ? 'unknown' : 'valid';
}

/** Whether a page belongs to the domains of a blog; every page does if the blog has none. */
function isOwnPage({ domains }: LawBlog, origin: string | undefined): boolean {
  if (domains.length === 0) return true;
  const host = origin?.replace(/^https?:\/\//, '');
  return host !== undefined && domains.some((domain) => host === domain || host.replace(/:\d+$/, '') === domain);
}

/** "All except those of a foreign page, a prefetch, a bot and a burst" count for campaigns. */
export const counts = (traffic: LawTraffic): boolean => traffic === 'valid' || traffic === 'unknown';

// "When a campaign admits an ad: while it runs and is not paused, until its goal or its daily cap is reached. With an
// even pace, the delivered share of the goal must also not exceed the elapsed share of the campaign's period."

function admits(blog: LawBlog, campaign: LawCampaign, ledger: Ledger, at: number): boolean {
  const { paused, from, until, goal, perDay, pace } = campaign;
  const done = progressOf(ledger, campaign.id);
  if (paused || at < from || at >= until) return false;
  if (perDay !== undefined && (done.days.get(dayOf(at, blog.timeZone)) ?? 0) >= perDay) return false;
  if (!goal) return true;
  if (done[goal.what] >= goal.count) return false;
  return pace !== 'even' || !isPlanned(campaign) || done[goal.what] <= goal.count * elapsedShare(campaign, ledger, at);
}

const isPlanned = ({ from, until, goal }: LawCampaign): boolean =>
  goal !== undefined && Number.isFinite(from) && Number.isFinite(until);

function progressOf({ progress }: Ledger, campaign: string) {
  const known = progress.get(campaign) ?? { impressions: 0, clicks: 0, days: new Map<string, number>() };
  progress.set(campaign, known);
  return known;
}

/** "Each hour weighted by the mean of the blog's deliveries to readers in that hour of the week over the last 14 days." */
function elapsedShare({ from, until }: LawCampaign, ledger: Ledger, at: number): number {
  const weights = usualWeek(ledger, at);
  const plain = (at - from) / (until - from);
  if (!weights) return plain;
  const between = (start: number, end: number): number => {
    let sum = 0;
    for (let hour = Math.floor(start / HOUR); hour * HOUR < end; hour += 1) {
      const part = Math.min(end, (hour + 1) * HOUR) - Math.max(start, hour * HOUR);
      sum += (weights[hour % WEEK] ?? 0) * (part / HOUR);
    }
    return sum;
  };
  const all = between(from, until);
  return all > 0 ? between(from, at) / all : plain;
}

/** The mean deliveries in each hour of the week; `undefined` "until a week of deliveries is known". */
function usualWeek({ hours }: Ledger, at: number): readonly number[] | undefined {
  const current = Math.floor(at / HOUR);
  const past = [...hours].filter(([hour]) => hour < current && hour >= current - 2 * WEEK);
  const first = Math.min(current, ...past.map(([hour]) => hour));
  if (first > current - WEEK) return undefined;
  return Array.from({ length: WEEK }, (_, place) => {
    const deliveries = past.filter(([hour]) => hour % WEEK === place).reduce((sum, [, count]) => sum + count, 0);
    // How often this hour of the week has passed since the first delivery.
    const latest = current - 1 - ((((current - 1 - place) % WEEK) + WEEK) % WEEK);
    return deliveries / (latest - WEEK >= first ? 2 : 1);
  });
}

/** "It has delivered the smallest share of the amount that is due by now": the missing share. */
function missingShare(campaign: LawCampaign | undefined, ledger: Ledger, at: number): number {
  if (!campaign?.goal || !isPlanned(campaign)) return 0;
  const due = campaign.goal.count * elapsedShare(campaign, ledger, at);
  return due > 0 ? Math.max(0, 1 - progressOf(ledger, campaign.id)[campaign.goal.what] / due) : 0;
}

/** A delivery that the product decided: which ad it chose for each slot. */
export interface Decision {
  readonly at: number;
  readonly slots: readonly LawSlot[];
  readonly traffic: LawTraffic;
  readonly chosen: readonly (string | undefined)[];
}

/**
 * Counts a delivery, if the law allows its ads. Several are allowed where it says "at random". Nothing is counted
 * otherwise.
 *
 * @returns the rows in which its slots count, or what it may not have done
 */
export function deliver(blog: LawBlog, ledger: Ledger, { at, slots, traffic, chosen }: Decision): LawRow[] | string {
  const rows: LawRow[] = [];
  // A decision that turns out to be wrong leaves no trace.
  const copies = [...ledger.progress].map(([id, done]) => [id, { ...done, days: new Map(done.days) }] as const);
  const draft: Ledger = { ...ledger, progress: new Map(copies) };
  for (const [index, slot] of slots.entries()) {
    const id = chosen[index];
    const free = eligible(blog, draft, slot, at).filter((ad) => !rows.some((row) => row.ad === ad.id));
    const best = bestOf(blog, draft, free, at);
    const ad = best.find((one) => one.id === id);
    if (!ad && (id !== undefined || best.length > 0)) {
      return `slot ${index} (${slot.slotId}) got ${id ?? 'no ad'}, allowed were ${best.map((one) => one.id).join(', ')}`;
    }
    const day = dayOf(at, blog.timeZone);
    rows.push({ day, ad: id ?? '', campaign: ad?.campaign ?? '', placement: slot.slotId ?? '', traffic });
    if (ad?.campaign === undefined || !counts(traffic)) continue;
    const done = progressOf(draft, ad.campaign);
    done.impressions += 1;
    done.days.set(day, (done.days.get(day) ?? 0) + 1);
  }
  for (const row of rows) count(ledger, row, 'requests');
  for (const [id, done] of draft.progress) ledger.progress.set(id, done);
  const hour = Math.floor(at / HOUR);
  if (counts(traffic)) ledger.hours.set(hour, (ledger.hours.get(hour) ?? 0) + 1);
  return rows;
}

/** "Active ads within their window, if they have one, whose campaign, if they have one, admits them." */
function eligible(blog: LawBlog, ledger: Ledger, { format, slotId }: LawSlot, at: number): LawAd[] {
  return [...blog.ads.values()].filter((ad) => {
    if (!ad.active || ad.format !== format || at < ad.from || at >= ad.until) return false;
    if (ad.campaign === undefined) return true;
    const campaign = blog.campaigns.get(ad.campaign);
    return campaign !== undefined && fits(campaign, slotId) && admits(blog, campaign, ledger, at);
  });
}

/** "Its ads then fill only slots of a batch with such a slotId; a single delivery never gets them." */
const fits = ({ placements }: LawCampaign, slotId: string | undefined): boolean =>
  placements.length === 0 ||
  (slotId !== undefined &&
    placements.some((name) => (name.endsWith('*') ? slotId.startsWith(name.slice(0, -1)) : slotId === name)));

/** House ads come last; then the priority decides, then whether the campaign names the placement, then its plan. */
function bestOf(blog: LawBlog, ledger: Ledger, ads: readonly LawAd[], at: number): LawAd[] {
  const ranked = ads.map((ad) => {
    const campaign = blog.campaigns.get(ad.campaign ?? '');
    const isPlaced = (campaign?.placements.length ?? 0) > 0;
    const rank = [campaign?.kind === 'house' ? 1 : 0, -ad.priority, isPlaced ? 0 : 1];
    return { ad, rank, missing: missingShare(campaign, ledger, at) };
  });
  const order = (a: readonly number[], b: readonly number[]) => a.reduce((found, x, i) => found || x - (b[i] ?? 0), 0);
  const first = ranked.toSorted((a, b) => order(a.rank, b.rank))[0];
  const equal = ranked.filter(({ rank }) => first && order(rank, first.rank) === 0);
  const most = Math.max(...equal.map(({ missing }) => missing));
  // Two ways of adding up hours may differ in the last digits.
  return equal.filter(({ missing }) => missing >= most - 1e-9).map(({ ad }) => ad);
}

function count({ rows }: Ledger, row: LawRow, what: keyof LawCounts): void {
  const key = keyOf(row);
  const sums = rows.get(key) ?? { requests: 0, viewable: 0, clicks: 0 };
  rows.set(key, sums);
  sums[what] += 1;
}

export const keyOf = ({ day, ad, campaign, placement, traffic }: LawRow): string =>
  [day, ad || '-', campaign || '-', placement || '-', traffic].join(' ');

// "For ten minutes, the same idempotency key with the same API key and body gets the same ads, and is counted once."

const KEY_WINDOW = 10 * MINUTE;

/** The delivery that a key stands for, if it is in use. */
export function keyInUse({ keys }: Ledger, key: string, at: number): KeyUse | undefined {
  const use = keys.get(key);
  return use && at < use.at + KEY_WINDOW ? use : undefined;
}

// "It is valid for exactly 600 seconds, and for its own blog only." "Each token counts once … on the day of its delivery."

const TOKEN_TTL = 600_000;
const REPEAT = 30 * MINUTE;

/** Counts a click. @returns the status of the response */
export function click(
  blog: LawBlog,
  ledger: Ledger,
  { token, at, visitor, origin }: { token: LawToken; at: number; visitor: string; origin?: string | undefined },
): 200 | 400 | 403 | 409 {
  if (!isOwnPage(blog, origin)) return 403;
  if (at >= token.issuedAt + TOKEN_TTL) return 400;
  if (ledger.used.has(token.id)) return 409;
  ledger.used.add(token.id);
  const key = `${token.row.ad} ${visitor}`;
  if (at - (ledger.clicked.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT) return 200;
  ledger.clicked.set(key, at);
  if (!counts(token.row.traffic)) return 200;
  count(ledger, { ...token.row, day: dayOf(at, blog.timeZone) }, 'clicks');
  if (token.row.campaign) progressOf(ledger, token.row.campaign).clicks += 1;
  return 200;
}

/** Counts a viewable impression. */
export function view(ledger: Ledger, token: LawToken, at: number): void {
  if (!counts(token.row.traffic) || at >= token.issuedAt + TOKEN_TTL || ledger.viewed.has(token.id)) return;
  ledger.viewed.add(token.id);
  count(ledger, token.row, 'viewable');
}
