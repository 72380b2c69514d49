import type { SnapshotAd } from '@broadsheet/contract';
import type { Campaign } from '@broadsheet/core';
import type { Session } from '../session.ts';
import { type LeftAd, readAds, readLeftAds, removeAd, upsertAds } from './ads.ts';
import { removeCampaign, requireCampaigns, upsertCampaigns } from './campaigns.ts';
import { binAd, binItem } from './recycle-bin.ts';

/** The methods of operators for ads and campaigns. */
export function createAdManagement({ database: { reader }, changeAds }: Session) {
  return {
    /** Every ad of the blog, paused ones included. */
    listAllAds: (blogId: string): Promise<readonly SnapshotAd[]> => readAds(reader, blogId),
    /** The ads that have left a campaign, as they were then; some may have come back. */
    listLeftAds: (blogId: string, campaignId: string): Promise<readonly LeftAd[]> =>
      readLeftAds(reader, blogId, campaignId),
    /** Adds or replaces an ad; `false` when there is no such blog. */
    putAd: (blogId: string, ad: SnapshotAd): Promise<boolean> =>
      changeAds(blogId, false, async (db) => {
        await upsertAds(db, blogId, [ad]);
        await requireCampaigns(db, blogId, [ad]);
        return true;
      }),
    /** Pauses or resumes an ad; `false` when it does not exist. */
    setAdActive: (blogId: string, adId: string, active: boolean): Promise<boolean> =>
      changeAds(blogId, false, async (db) => {
        const rows = await db`update ads set active = ${Number(active)}
          where blog_id = ${blogId} and id = ${adId} returning id`;
        return rows.length > 0;
      }),
    /** Moves an ad to the recycle bin; its figures stay. `false` when it does not exist. */
    deleteAd: (blogId: string, adId: string, now: number): Promise<boolean> =>
      changeAds(blogId, false, async (db) => {
        const ad = await removeAd(db, blogId, adId);
        if (ad) await binAd(db, blogId, ad, now);
        return ad !== undefined;
      }),

    /** Adds or replaces a campaign; `false` when there is no such blog. */
    putCampaign: (blogId: string, campaign: Campaign): Promise<boolean> =>
      changeAds(blogId, false, async (db) => {
        await upsertCampaigns(db, blogId, [campaign]);
        return true;
      }),
    /** Moves a campaign and its ads to the recycle bin; their figures stay. `false` when it does not exist. */
    deleteCampaign: (blogId: string, campaignId: string, now: number): Promise<boolean> =>
      changeAds(blogId, false, async (db) => {
        const removed = await removeCampaign(db, blogId, campaignId);
        if (!removed) return false;
        const { campaign, ads } = removed;
        for (const ad of ads) await binAd(db, blogId, ad, now);
        const entry = { kind: 'campaign', id: campaignId, deletedAt: now, title: campaign.name } as const;
        await binItem(db, blogId, entry, campaign);
        return true;
      }),
  };
}
