import type { SnapshotAd, SnapshotCampaign, SnapshotPost } from '@broadsheet/contract';
import { adName } from '@broadsheet/store';
import type { CommandStore } from '../server-store.ts';
import { OperationError } from './operation-error.ts';

/** What operators delete and restore. */
interface Items {
  readonly post: SnapshotPost;
  readonly ad: SnapshotAd;
  readonly campaign: SnapshotCampaign;
}

export type Kind = keyof Items;

const FIND: { readonly [K in Kind]: (store: CommandStore, blog: string, id: string) => Promise<Items[K] | undefined> } =
  {
    post: (store, blog, id) => store.getAnyPost(blog, id),
    ad: async (store, blog, id) => (await store.listAllAds(blog)).find((ad) => ad.id === id),
    campaign: async (store, blog, id) => (await store.listCampaigns(blog)).find((campaign) => campaign.id === id),
  };

/** A post of any status, an ad or a campaign. @throws OperationError */
export const requireItem = async <K extends Kind>(
  store: CommandStore,
  kind: K,
  blog: string,
  id: string,
): Promise<Items[K]> => (await FIND[kind](store, blog, id)) ?? notFound(blog, kind, id);

/** @throws OperationError that says what is missing */
export function notFound(blog: string, kind: Kind | 'webhook' | 'message', id: string): never {
  const message = `There is no ${kind} ${JSON.stringify(id)} in ${blog}; list its ${kind}s to see their ids.`;
  throw new OperationError(message, 'NOT_FOUND');
}

type Named = SnapshotAd | SnapshotCampaign | { readonly id: string; readonly title: string };

export function titleOf(item: Named): string {
  if ('format' in item) return adName(item);
  return 'sponsor' in item ? item.name : item.title;
}

/** The name of a post, an ad or a campaign in the log and on a page. */
export const named = (item: Named): string => `“${titleOf(item).trim() || item.id}”`;
