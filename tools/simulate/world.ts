import { AD_FORMATS } from '../../packages/contract/src/index.ts';
import type { LawAd, LawBlog, LawCampaign } from '../law/world.ts';
import type { Random } from '../prove/random.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Zones with and without daylight saving, with half hours, and on both sides of the date line. */
const ZONES = [
  ...['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Europe/Berlin', 'Pacific/Kiritimati'],
  ...['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Pago_Pago'],
];
/** The days before clocks change in these zones, a leap day and the end of a year. */
const STARTS = [
  '2026-03-07',
  '2026-03-28',
  '2026-04-04',
  '2026-10-03',
  '2026-10-24',
  '2026-11-01',
  '2028-02-28',
  '2026-12-30',
];

/** A blog, as it is imported and as the law sees it. */
export interface SimulatedBlog {
  readonly apiKey: string;
  readonly law: LawBlog;
  readonly snapshot: object;
}

export interface World {
  /** When its histories begin, in milliseconds since the epoch. */
  readonly start: number;
  readonly blogs: readonly SimulatedBlog[];
}

const adId = (blog: number, ad: number) => `00000000-0000-4000-8000-0000000${blog}${String(ad).padStart(4, '0')}`;

/** Creates blogs with campaigns of every kind. */
export function createWorld(random: Random): World {
  const start = Date.parse(`${random.pick(STARTS)}T00:00:00Z`) + random.below(24) * HOUR;
  const blogs = Array.from({ length: 1 + random.below(3) }, (_, index) => createBlog(index, start, random));
  return { start, blogs };
}

function createBlog(index: number, start: number, random: Random): SimulatedBlog {
  const [id, apiKey, timeZone] = [`blog-${index}`, `simulated-key-${index}`, random.pick(ZONES)];
  const domains = random.chance(0.4) ? [`blog-${index}.example`] : [];
  const campaigns = Array.from({ length: random.below(5) }, (_, at) => createCampaign(`c${at}`, start, random));
  const ads = Array.from({ length: 2 + random.below(8) }, (_, at) =>
    createAd(adId(index, at), start, campaigns, random),
  );
  const law = {
    ...{ id, timeZone, domains },
    ads: new Map(ads.map((ad) => [ad.id, ad])),
    campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
  };
  const snapshot = {
    ...{ id, name: id, timeZone, domains, apiKeys: [apiKey], categories: [], tags: [], posts: [] },
    campaigns: campaigns.map(({ from, until, goal, perDay, placements, paused, ...campaign }) => ({
      ...{ ...campaign, sponsor: campaign.id, name: campaign.id, paused, placements },
      ...{ startsAt: toTimestamp(from), endsAt: toTimestamp(until), perDay: perDay ?? null },
      goal: goal ? { [goal.what]: goal.count } : null,
    })),
    ads: ads.map(({ id: ad, format, priority, active, from, until, campaign }) => ({
      ...{
        id: ad,
        format,
        priority,
        active,
        startsAt: toTimestamp(from),
        endsAt: toTimestamp(until),
        title: ad.slice(-4),
      },
      ...(campaign !== undefined && { campaignId: campaign }),
    })),
  };
  return { apiKey, law, snapshot };
}

const toTimestamp = (time: number): string | null => (Number.isFinite(time) ? new Date(time).toISOString() : null);

function createCampaign(id: string, start: number, random: Random): LawCampaign {
  const isDated = random.chance(0.5);
  const from = isDated ? start - random.below(5) * DAY : Number.NEGATIVE_INFINITY;
  const until = isDated ? start + (1 + random.below(30)) * DAY : Number.POSITIVE_INFINITY;
  const goal = random.chance(0.7)
    ? ({
        what: random.chance(0.75) ? 'impressions' : 'clicks',
        count: 1 + random.below(random.pick([5, 40, 200])),
      } as const)
    : undefined;
  return {
    ...{ id, from, until, goal },
    kind: random.chance(0.25) ? 'house' : 'paid',
    // An even pace with an end and without a start starts when it is written, so it has both or none.
    pace: isDated && random.chance(0.6) ? 'even' : 'fast',
    paused: false,
    perDay: random.chance(0.4) ? 1 + random.below(12) : undefined,
    placements: random.chance(0.3) ? [random.pick(['top', 'top*', 'side*'])] : [],
  };
}

function createAd(id: string, start: number, campaigns: readonly LawCampaign[], random: Random): LawAd {
  const isDated = random.chance(0.2);
  return {
    id,
    format: random.pick(AD_FORMATS.slice(0, 2)),
    priority: random.below(3),
    active: true,
    from: isDated ? start + random.below(DAY) : Number.NEGATIVE_INFINITY,
    until: isDated ? start + DAY + random.below(5 * DAY) : Number.POSITIVE_INFINITY,
    campaign: campaigns.length > 0 && random.chance(0.7) ? random.pick(campaigns).id : undefined,
  };
}
