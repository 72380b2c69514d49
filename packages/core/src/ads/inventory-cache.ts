import type { Blog, Store } from '../store.ts';
import { createInventory, type Inventory } from './inventory.ts';

export type InventoryCache = ReturnType<typeof createInventoryCache>;

/** The number of blogs and ads that are cached in total; a full cache is emptied. */
const MAX_SIZE = 50_000;

/** Reads an inventory once per revision, even for concurrent requests. */
export function createInventoryCache(store: Pick<Store, 'listAds' | 'listCampaigns'>) {
  const entries = new Map<string, { readonly revision: string; readonly inventory: Promise<Inventory> }>();
  let size = 0;
  const read = async (blogId: string) => {
    const ads = await store.listAds(blogId);
    size += ads.length + 1;
    const hasCampaigns = ads.some(({ campaignId }) => campaignId !== undefined);
    return createInventory(ads, hasCampaigns ? await store.listCampaigns(blogId) : []);
  };
  return {
    of({ id, revision }: Blog): Promise<Inventory> {
      const known = entries.get(id);
      if (known?.revision === revision) return known.inventory;
      if (size >= MAX_SIZE) {
        entries.clear();
        size = 0;
      }
      const fresh = { revision, inventory: read(id) };
      entries.set(id, fresh);
      fresh.inventory.catch(() => {
        if (entries.get(id) === fresh) entries.delete(id);
      });
      return fresh.inventory;
    },
  };
}
