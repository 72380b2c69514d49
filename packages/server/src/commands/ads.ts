import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { IMAGE_LIMITS, type Image } from '@broadsheet/core';
import {
  AD_FIELDS,
  type AdDraft,
  addAd as add,
  adState,
  editAd as edit,
  exportAd,
  listAds as list,
  mediaUrl,
  OperationError,
  readImage,
  deleteAd as remove,
  requireAd,
  requireBlog,
  restore,
  setAdActive,
  withImages,
} from '@broadsheet/management';
import { type CommandFlags, notePublicUrl, publicUrlOf, withStore } from '../database/database.ts';
import { changesOf, draftOf, type FieldFlags } from '../program/flags.ts';
import { note, printResult, printWhole } from '../program/output.ts';
import { table } from '../program/table.ts';

/** `broadsheet ads list BLOG` */
export async function listAds(blog: string, flags: CommandFlags): Promise<void> {
  const ads = await withStore(flags, {}, (store) => list(store, blog));
  const now = Date.now();
  const rows = ads.map((ad) => [ad.id, ad.format, ad.priority, adState(ad, now), ad.title ?? '']);
  const none = `${blog} has no ads yet; "broadsheet ads add ${blog} --format BANNER …" adds one.`;
  printResult(flags, ads, rows.length > 0 ? table(['AD', 'FORMAT', 'PRIORITY', 'STATE', 'TITLE'], rows) : none);
}

/** `broadsheet ads add BLOG` */
export async function addAd(blog: string, flags: FieldFlags): Promise<void> {
  const { draft, images } = await readDraft(flags);
  const ad = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return withImages(store, blog, images, () => add(store, blog, draft, Date.now()));
  });
  printResult(flags, ad, `Added ${ad.id}.`);
}

/** The fields that were given; an image that is a file becomes its URL. @throws OperationError */
async function readDraft(flags: FieldFlags): Promise<{ draft: AdDraft; images: readonly Image[] }> {
  const draft: AdDraft = draftOf(AD_FIELDS, flags);
  const { imageUrl: file } = draft;
  if (!file || !(await isFile(file))) return { draft, images: [] };
  const image = await readImage(new Uint8Array(await readFile(file)), basename(file));
  const publicUrl = publicUrlOf(flags);
  notePublicUrl(publicUrl);
  return { draft: { ...draft, imageUrl: mediaUrl(publicUrl, image) }, images: [image] };
}

/** Whether a path is that of a file that may be an image; a larger one is not read. @throws OperationError */
async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found && found.size > 2 * IMAGE_LIMITS.bytes) {
    throw new OperationError([{ at: 'imageUrl', message: `${path} is larger than an image may be` }]);
  }
  return found?.isFile() === true;
}

/** `broadsheet ads edit BLOG AD` */
export async function editAd(blog: string, id: string, flags: FieldFlags): Promise<void> {
  const { draft: changes, images } = await readDraft(flags);
  if (Object.keys(changes).length === 0) {
    throw new OperationError('Nothing to change: give at least one of the flags that --help lists.');
  }
  const { before, after } = await withStore(flags, {}, async (store) => {
    await requireAd(store, blog, id);
    return withImages(store, blog, images, () => edit(store, { blog, id }, changes, Date.now()));
  });
  printResult(flags, after, changesOf(id, before, after));
}

/** `broadsheet ads pause BLOG AD` and `ads resume` */
export async function setActive(blog: string, id: string, active: boolean, flags: CommandFlags): Promise<void> {
  const ad = await withStore(flags, {}, (store) => setAdActive(store, blog, id, active));
  printResult(flags, { blog, id: ad.id, active }, `${active ? 'Resumed' : 'Paused'} ${ad.id}.`);
}

/** `broadsheet ads delete BLOG AD`: nothing is deleted until the whole snapshot has been printed. */
export async function deleteAd(blog: string, id: string, flags: CommandFlags): Promise<void> {
  await withStore(flags, {}, async (store) => {
    await printWhole(await exportAd(store, blog, id));
    await remove(store, blog, id, Date.now());
  });
  const undo = `To undo within 30 days, run: broadsheet ads restore ${blog} ${id}`;
  note(`Deleted the ad ${id} of ${blog}; its figures stay. ${undo}`);
}

/** `broadsheet ads restore BLOG AD` */
export async function restoreAd(blog: string, id: string, flags: CommandFlags): Promise<void> {
  const entry = await withStore(flags, {}, (store) => restore(store, blog, { kind: 'ad', id }, Date.now()));
  printResult(flags, entry, `Restored the ad ${id} of ${blog}.`);
}
