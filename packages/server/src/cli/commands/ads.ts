import { randomUUID } from 'node:crypto';
import { accept, SnapshotAd } from '@broadsheet/contract';
import { type DatabaseFlag, requireBlog, withStore } from '../database.ts';
import { print, printJson } from '../output.ts';
import { Refusal } from '../refusal.ts';
import { table } from '../table.ts';

type Flags = DatabaseFlag & { readonly json?: boolean };

/** The flags of `ads add`, as they were typed. */
export interface AdFlags extends Flags {
  readonly format: string;
  readonly priority: string;
  readonly title?: string;
  readonly content?: string;
  readonly link?: string;
  readonly linkText?: string;
  readonly image?: string;
  readonly starts?: string;
  readonly ends?: string;
}

/** `broadsheet ads list BLOG` */
export async function listAds(blog: string, flags: Flags): Promise<void> {
  const ads = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.listAllAds(blog);
  });
  if (flags.json) printJson(ads);
  else if (ads.length === 0) print(`${blog} has no ads yet; "broadsheet ads add ${blog} --format BANNER …" makes one.`);
  else {
    const rows = ads.map((ad) => [ad.id, ad.format, ad.priority, ad.active ? 'active' : 'paused', ad.title ?? '']);
    print(table(['AD', 'FORMAT', 'PRIORITY', 'STATE', 'TITLE'], rows));
  }
}

/** `broadsheet ads add BLOG` */
export async function addAd(blog: string, flags: AdFlags): Promise<void> {
  const ad = readAd(flags);
  await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    await store.putAd(blog, ad, Date.now());
  });
  if (flags.json) printJson(ad);
  else print(`Added ${ad.id}.`);
}

/** `broadsheet ads pause BLOG AD` and `resume` */
export async function setActive(blog: string, ad: string, active: boolean, flags: Flags): Promise<void> {
  const found = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.setAdActive(blog, ad, active, Date.now());
  });
  if (!found)
    throw new Refusal(`${blog} has no ad ${JSON.stringify(ad)}; "broadsheet ads list ${blog}" shows those it has.`);
  if (flags.json) printJson({ blog, ad, active });
  else print(`${active ? 'Resumed' : 'Paused'} ${ad}.`);
}

/** An ad by the rules of a snapshot, with the names of the flags in its errors. */
function readAd(flags: AdFlags): SnapshotAd {
  const problems = strangeFlags(flags);
  const result = accept(SnapshotAd, {
    id: randomUUID(),
    format: flags.format,
    priority: Number(flags.priority) || 0,
    startsAt: flags.starts ?? null,
    endsAt: flags.ends ?? null,
    imageUrl: flags.image ?? null,
    linkUrl: flags.link ?? null,
    title: flags.title ?? null,
    content: flags.content ?? null,
    linkText: flags.linkText ?? null,
  });
  if (result.ok && problems.length === 0) return result.value;
  const fields = result.ok ? [] : result.fields;
  throw new Refusal([
    ...fields.map(({ field, message }) => `${FLAG_OF[field] ?? field}: ${message.slice(field.length + 2)}`),
    ...problems,
  ]);
}

/** What no schema sees: a number that was typed as something else, an ad that nobody would ever see. */
function strangeFlags({ priority, title, content, image, starts, ends }: AdFlags): string[] {
  const problems: string[] = [];
  if (!/^-?\d{1,9}$/.test(priority)) {
    problems.push(`--priority: expected a whole number, received ${JSON.stringify(priority)}`);
  }
  if ((title ?? content ?? image) === undefined) {
    problems.push('the ad is empty: give it at least one of --title, --content and --image');
  }
  if (starts !== undefined && ends !== undefined && Date.parse(ends) < Date.parse(starts)) {
    problems.push(`--ends: ${ends} is before --starts (${starts}); the ad would never run`);
  }
  return problems;
}

const FLAG_OF: Readonly<Record<string, string>> = {
  format: '--format',
  startsAt: '--starts',
  endsAt: '--ends',
  imageUrl: '--image',
  linkUrl: '--link',
};
