import type { Blog, Store } from '../store.ts';
import { createInventory, type Inventory } from './inventory.ts';

/** The inventories of the blogs asked for last, each kept while its blog's revision stands. */
export interface InventoryCache {
  of(blog: Blog): Promise<Inventory>;
}

const BLOGS_KEPT = 1000;

/** Reads an inventory once per revision, however many requests ask for it at the same time. */
export function createInventoryCache(store: Store): InventoryCache {
  const kept = new Map<string, { revision: string; inventory: Promise<Inventory> }>();
  return {
    of(blog) {
      const entry = kept.get(blog.id);
      if (entry?.revision === blog.revision) return entry.inventory;
      const inventory = Promise.resolve(store.listAds(blog.id)).then(createInventory);
      const fresh = { revision: blog.revision, inventory };
      kept.set(blog.id, fresh);
      inventory.catch(() => kept.get(blog.id) === fresh && kept.delete(blog.id));
      if (kept.size > BLOGS_KEPT) kept.delete(kept.keys().next().value ?? '');
      return inventory;
    },
  };
}
