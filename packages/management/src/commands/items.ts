import { id, type SnapshotAd, type SnapshotCampaign, type SnapshotPost } from '@broadsheet/contract';
import type { OperatorStore } from '@broadsheet/store';
import { adName } from '@broadsheet/store';
import { notFound } from '../operations/operation-error.ts';
import { type Argument, position } from './command.ts';

/** The items that operators delete and restore. */
interface Items {
  readonly post: SnapshotPost;
  readonly ad: SnapshotAd;
  readonly campaign: SnapshotCampaign;
}

export type Kind = keyof Items;

/** The scopes, the effects and the texts of each kind of item, and an id for examples. */
export const KINDS = {
  post: {
    scopes: ['import'],
    touches: ['posts'],
    what: 'a post',
    also: '',
    kept: '',
    lost: '',
    sample: 'hello-world-1a2b3c4d',
  },
  ad: {
    scopes: ['ads'],
    touches: ['ads'],
    what: 'an ad',
    also: '',
    kept: '; its figures stay',
    lost: '',
    sample: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  },
  campaign: {
    scopes: ['ads'],
    touches: ['campaigns', 'ads'],
    what: 'a campaign and its ads',
    also: ' and its ads',
    kept: '; their figures stay',
    /** What a restored item does not get back. */
    lost: 'links to its report stop working, and do not work again after it is restored',
    sample: '8c2f5a40-7d1e-4b6c-9a53-1f2e3d4c5b6a',
  },
} as const;

/** What a deleted item does not get back when it is restored; empty if it gets everything back. */
export const lostBy = (kind: Kind): string => KINDS[kind].lost;

/** The id of an item. */
export const idOf = (kind: Kind): Argument<string> =>
  position(id, `id of the ${kind}, as "${kind}s list" shows it`, { sample: KINDS[kind].sample });

/** The arguments of a command on an item: its id, under the name of its kind. */
export const itemArgs = <K extends Kind, Id>(kind: K, argument: Argument<Id>) =>
  ({ [kind]: argument }) as { readonly [Name in K]: Argument<Id> };

/** The values of arguments that are texts, because the compiler does not resolve a generic name in their types. */
export const textsIn = (args: unknown) => args as Readonly<Record<string, string | undefined>>;

const FIND: {
  readonly [K in Kind]: (store: OperatorStore, blog: string, id: string) => Promise<Items[K] | undefined>;
} = {
  post: (store, blog, id) => store.getAnyPost(blog, id),
  ad: async (store, blog, id) => (await store.listAllAds(blog)).find((ad) => ad.id === id),
  campaign: async (store, blog, id) => (await store.listCampaigns(blog)).find((campaign) => campaign.id === id),
};

/** A post of any status, an ad or a campaign. @throws OperationError */
export const requireItem = async <K extends Kind>(
  store: OperatorStore,
  kind: K,
  blog: string,
  id: string,
): Promise<Items[K]> => (await FIND[kind](store, blog, id)) ?? notFound(blog, kind, id);

type Named = SnapshotAd | SnapshotCampaign | { readonly id: string; readonly title: string };

export function titleOf(item: Named): string {
  if ('format' in item) return adName(item);
  return 'sponsor' in item ? item.name : item.title;
}

/** The name of a post, an ad or a campaign in the log and on a page. */
export const named = (item: Named): string => `“${titleOf(item).trim() || item.id}”`;
