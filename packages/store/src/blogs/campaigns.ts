import { LIMITS, type SnapshotAd } from '@broadsheet/contract';
import { type Campaign, codeUnitOrder, type Plan } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import { excluded, type Tables } from '../tables.ts';
import { readAds, removeAd } from './ads.ts';
import { ContentClash, requireRoom } from './clashes.ts';

/** The campaigns of a blog, by id. */
export async function readCampaigns(db: Kysely<Tables>, blogId: string): Promise<Campaign[]> {
  const rows = await db.selectFrom('campaigns').selectAll().where('blog_id', '=', blogId).execute();
  return rows.sort((a, b) => codeUnitOrder(a.id, b.id)).map(({ json }) => JSON.parse(json));
}

/** The plans that campaigns of a blog had at their last delivery, by id. */
export async function readPlans(db: Kysely<Tables>, blogId: string): Promise<ReadonlyMap<string, Plan>> {
  const rows = await db.selectFrom('campaigns').select(['id', 'plan']).where('blog_id', '=', blogId).execute();
  return new Map(rows.flatMap(({ id, plan }) => (plan === null ? [] : [[id, JSON.parse(plan)]])));
}

/** Adds campaigns, or replaces those with the same id. @throws ContentClash when the blog has too many */
export async function upsertCampaigns(
  db: Kysely<Tables>,
  blogId: string,
  campaigns: readonly Campaign[],
): Promise<void> {
  if (campaigns.length === 0) return;
  await db
    .insertInto('campaigns')
    .values(
      campaigns.map((campaign) => ({ blog_id: blogId, id: campaign.id, json: JSON.stringify(campaign), plan: null })),
    )
    .onConflict((conflict) => conflict.columns(['blog_id', 'id']).doUpdateSet(excluded(['json'])))
    .execute();
  await requireRoom(db, blogId, 'campaigns', LIMITS.campaigns);
}

/** @throws ContentClash when an ad names a campaign that the blog does not have */
export async function requireCampaigns(
  db: Kysely<Tables>,
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
  db: Kysely<Tables>,
  blogId: string,
  id: string,
): Promise<{ readonly campaign: Campaign; readonly ads: readonly SnapshotAd[] } | undefined> {
  const campaign = db.deleteFrom('campaigns').where('blog_id', '=', blogId).where('id', '=', id);
  const removed = await campaign.returning('json').executeTakeFirst();
  if (!removed) return undefined;
  await db.deleteFrom('report_links').where('blog_id', '=', blogId).where('campaign_id', '=', id).execute();
  const ads = (await readAds(db, blogId)).filter(({ campaignId }) => campaignId === id);
  for (const ad of ads) await removeAd(db, blogId, ad.id);
  return { campaign: JSON.parse(removed.json), ads };
}
