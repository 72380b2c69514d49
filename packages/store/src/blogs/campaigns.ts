import { LIMITS, type SnapshotAd } from '@broadsheet/contract';
import { type Campaign, codeUnitOrder, type Plan } from '@broadsheet/core';
import { type Db, insert, updating } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { readAds, removeAd } from './ads.ts';
import { ContentClash, requireRoom } from './clashes.ts';

/** The campaigns of a blog, by id. */
export async function readCampaigns(db: Db, blogId: string): Promise<Campaign[]> {
  const rows = await db<Tables['campaigns']>`select * from campaigns where blog_id = ${blogId}`;
  return rows.sort((a, b) => codeUnitOrder(a.id, b.id)).map(({ json }) => JSON.parse(json));
}

/** The ids of the campaigns of a blog that have reached their goals. */
export async function readEnded(db: Db, blogId: string): Promise<string[]> {
  const rows = await db<{ id: string }>`select id from campaigns where blog_id = ${blogId} and is_ended = 1`;
  return rows.map(({ id }) => id);
}

/** The plans that campaigns of a blog had at their last delivery, by id. */
export async function readPlans(db: Db, blogId: string): Promise<ReadonlyMap<string, Plan>> {
  const rows = await db<Tables['campaigns']>`select id, plan from campaigns where blog_id = ${blogId}`;
  return new Map(rows.flatMap(({ id, plan }) => (plan === null ? [] : [[id, JSON.parse(plan)]])));
}

/** Adds campaigns, or replaces those with the same id. @throws ContentClash when the blog has too many */
export async function upsertCampaigns(db: Db, blogId: string, campaigns: readonly Campaign[]): Promise<void> {
  if (campaigns.length === 0) return;
  const rows = campaigns.map((campaign) => ({
    ...{ blog_id: blogId, id: campaign.id, json: JSON.stringify(campaign), is_ended: 0 },
  }));
  await insert(db, 'campaigns', rows, updating('campaigns', ['json', 'is_ended']));
  await requireRoom(db, blogId, 'campaigns', LIMITS.campaigns);
}

/** @throws ContentClash when an ad names a campaign that the blog does not have */
export async function requireCampaigns(
  db: Db,
  blogId: string,
  ads: readonly Pick<SnapshotAd, 'id' | 'campaignId'>[],
): Promise<void> {
  if (ads.every(({ campaignId }) => campaignId === undefined)) return;
  const known = new Set((await readCampaigns(db, blogId)).map(({ id }) => id));
  const clashes = ads.flatMap(({ id, campaignId }) => {
    if (campaignId === undefined || known.has(campaignId)) return [];
    const message = `the ad ${id} names the campaign ${JSON.stringify(campaignId)}, which does not exist; add or restore it first`;
    return [{ code: 'NO_CAMPAIGN' as const, blogId, message }];
  });
  if (clashes.length > 0) throw new ContentClash(clashes);
}

/** Removes and returns a campaign with its ads, and revokes its report links; `undefined` when it does not exist. */
export async function removeCampaign(
  db: Db,
  blogId: string,
  id: string,
): Promise<{ readonly campaign: Campaign; readonly ads: readonly SnapshotAd[] } | undefined> {
  const [removed] = await db<{ json: string }>`
    delete from campaigns where blog_id = ${blogId} and id = ${id} returning json`;
  if (!removed) return undefined;
  await db`delete from report_links where blog_id = ${blogId} and campaign_id = ${id}`;
  const ads = (await readAds(db, blogId)).filter(({ campaignId }) => campaignId === id);
  for (const ad of ads) await removeAd(db, blogId, ad.id);
  return { campaign: JSON.parse(removed.json), ads };
}
