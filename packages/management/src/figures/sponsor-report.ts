import type { AdFormat, Publisher, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import type { OperatorStore } from '@broadsheet/store';
import { adTitle } from '@broadsheet/store';
import { requireBlog } from '../operations/blogs.ts';
import { type CampaignState, readCampaign } from './campaigns.ts';
import type { Excluded, Total } from './totals.ts';

/** The publisher of a report, as its sponsor sees it. */
interface ReportPublisher extends Readonly<Publisher> {
  readonly name: string;
  readonly domains: readonly string[];
}

/** An ad in a report: what readers see of it now, if the campaign still has it. */
interface ReportAd extends Total {
  readonly id: string;
  readonly title: string;
  readonly format?: AdFormat;
  readonly content?: string;
  readonly imageUrl?: string;
}

/**
 * What a sponsor sees of a campaign. It is not what managers see with something left out: every field is chosen for the
 * sponsor, so that a field which managers get later does not reach sponsors.
 */
export interface SponsorReport {
  /** The time zone of its days; UTC by default. */
  readonly timeZone?: string;
  readonly publisher: ReportPublisher;
  readonly campaign: Readonly<
    Pick<SnapshotCampaign, 'sponsor' | 'name' | 'placements' | 'goal' | 'startsAt' | 'endsAt'>
  >;
  readonly state: CampaignState;
  /** The reached share of the goal. */
  readonly progress?: number;
  /** How far the campaign is ahead of its plan, or behind if negative, if the link shows it. */
  readonly ahead?: number;
  readonly expectedAt?: string;
  readonly total: Total;
  /** Its ads, and those that were delivered for it. */
  readonly ads: readonly ReportAd[];
  readonly days: readonly (Total & { readonly day: string })[];
  readonly adDays: readonly (Total & { readonly day: string; readonly adId: string })[];
  readonly excluded: readonly Excluded[];
}

/** The campaign that a link to a report is for. */
interface ReportKey {
  readonly blog: string;
  readonly campaign: string;
  readonly showsPace: boolean;
}

/** Builds the report of a campaign for its sponsor. @throws OperationError */
export async function readSponsorReport(
  store: OperatorStore,
  { blog: blogId, campaign: id, showsPace }: ReportKey,
  now: number,
): Promise<SponsorReport> {
  const { name, domains, publisher } = await requireBlog(store, blogId);
  const figures = await readCampaign(store, blogId, id, now);
  const { campaign, timeZone, state, progress, ahead, expectedAt } = figures;
  const { sponsor, placements, goal, startsAt, endsAt } = campaign;
  const describe = await readDescriptions(store, blogId, id);
  return {
    ...(timeZone !== undefined && { timeZone }),
    publisher: { name, domains, ...publisher },
    campaign: {
      ...{ sponsor, name: campaign.name, goal, startsAt, endsAt },
      ...(placements && { placements }),
    },
    state,
    ...(progress !== undefined && { progress }),
    ...(showsPace && ahead !== undefined && { ahead }),
    ...(expectedAt !== undefined && { expectedAt }),
    total: totalIn(figures),
    ads: figures.ads.map((ad) => ({ id: ad.id, ...describe(ad.id), ...totalIn(ad) })),
    days: figures.days.map((row) => ({ day: row.day, ...totalIn(row) })),
    adDays: figures.adDays.map((row) => ({ day: row.day, adId: row.adId, ...totalIn(row) })),
    excluded: figures.excluded.map(({ reason, impressions }) => ({ reason, impressions })),
  };
}

const totalIn = ({ impressions, delivered, valid, viewable, viewableRate, clicks, ctr }: Total): Total => {
  return { impressions, delivered, valid, viewable, viewableRate, clicks, ctr };
};

type Description = Pick<ReportAd, 'title' | 'format' | 'content' | 'imageUrl'>;

/**
 * What the report of a campaign says about each ad: what readers see of its own ads, and the titles that other ads had
 * while they were in the campaign.
 */
async function readDescriptions(
  store: OperatorStore,
  blogId: string,
  campaignId: string,
): Promise<(id: string) => Description> {
  const current = (await store.listAllAds(blogId)).filter((ad) => ad.campaignId === campaignId);
  const descriptions = new Map<string, Description>();
  for (const { id, title, format } of await store.listLeftAds(blogId, campaignId)) {
    descriptions.set(id, { title, format });
  }
  for (const ad of current) descriptions.set(ad.id, seenByReaders(ad));
  return (id) => descriptions.get(id) ?? { title: 'An ad that has left the campaign' };
}

function seenByReaders(ad: SnapshotAd): Description {
  const { format, content, imageUrl } = ad;
  return { title: adTitle(ad), format, ...(content && { content }), ...(imageUrl && { imageUrl }) };
}
