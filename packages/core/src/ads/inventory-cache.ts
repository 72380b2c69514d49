import type { Ad, Blog, Store } from '../store.ts';
import { createInventory, type Inventory } from './inventory.ts';

/** The inventories of the blogs requested last, each good while its blog's revision stands. */
export interface InventoryCache {
  of(blog: Blog): Promise<Inventory>;
}

/** What is remembered at most: blogs, and ads of all of them together. */
const MAX_BLOGS = 20_000;
const MAX_ADS = 50_000;

interface Entry {
  readonly revision: string;
  readonly inventory: Promise<Inventory>;
  ads: number;
}

/** Reads an inventory once per revision, however many requests ask for it at the same time. */
export function createInventoryCache(store: Pick<Store, 'listAds'>): InventoryCache {
  const entries = new Map<string, Entry>();
  let total = 0;
  const forget = (blogId: string, entry: Entry) => {
    if (entries.get(blogId) !== entry) return;
    entries.delete(blogId);
    total -= entry.ads;
  };
  /** The oldest go first; one that is used all the time is soon read again. */
  const makeRoom = () => {
    for (const [blogId, entry] of entries) {
      if (entries.size <= MAX_BLOGS && (total <= MAX_ADS || entries.size === 1)) return;
      forget(blogId, entry);
    }
  };
  return {
    of(blog) {
      const known = entries.get(blog.id);
      if (known?.revision === blog.revision) return known.inventory;
      if (known) forget(blog.id, known);
      const inventory = Promise.resolve(store.listAds(blog.id)).then((ads: readonly Ad[]) => {
        if (entries.get(blog.id) === fresh) {
          fresh.ads = ads.length;
          total += ads.length;
          makeRoom();
        }
        return createInventory(ads);
      });
      const fresh: Entry = { revision: blog.revision, inventory, ads: 0 };
      entries.set(blog.id, fresh);
      inventory.catch(() => forget(blog.id, fresh));
      return inventory;
    },
  };
}
