import type { SnapshotAd } from '@broadsheet/contract';
import { type DatabaseFlag, requireBlog, withStore } from '../database/database.ts';
import { print, printJson } from '../program/output.ts';
import { Refusal } from '../program/refusal.ts';
import { table } from '../program/table.ts';
import { type AdFlags, readAd } from './ad-flags.ts';

type Flags = DatabaseFlag & { readonly json?: boolean };

/** `broadsheet ads list BLOG` */
export async function listAds(blog: string, flags: Flags): Promise<void> {
  const ads = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.listAllAds(blog);
  });
  if (flags.json) printJson(ads);
  else if (ads.length === 0) print(`${blog} has no ads yet; "broadsheet ads add ${blog} --format BANNER …" makes one.`);
  else {
    const now = Date.now();
    const rows = ads.map((ad) => [ad.id, ad.format, ad.priority, stateOf(ad, now), ad.title ?? '']);
    print(table(['AD', 'FORMAT', 'PRIORITY', 'STATE', 'TITLE'], rows));
  }
}

/** `broadsheet ads add BLOG` */
export async function addAd(blog: string, flags: Flags & AdFlags): Promise<void> {
  const ad = readAd(flags, Date.now());
  await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    await store.putAd(blog, ad);
  });
  if (flags.json) printJson(ad);
  else print(`Added ${ad.id}.`);
}

/** `broadsheet ads pause BLOG AD` and `resume` */
export async function setActive(blog: string, ad: string, active: boolean, flags: Flags): Promise<void> {
  const found = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.setAdActive(blog, ad, active);
  });
  if (!found)
    throw new Refusal(`${blog} has no ad ${JSON.stringify(ad)}; "broadsheet ads list ${blog}" shows those it has.`);
  if (flags.json) printJson({ blog, ad, active });
  else print(`${active ? 'Resumed' : 'Paused'} ${ad}.`);
}

/** An ad that is over is not shown whether it is paused or not: resuming it would change nothing. */
function stateOf({ active, startsAt, endsAt }: SnapshotAd, now: number): string {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  if (!active) return 'paused';
  return startsAt !== null && Date.parse(startsAt) > now ? 'waiting' : 'active';
}
