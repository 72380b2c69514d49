import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { IMAGE_LIMITS, type Image } from '@broadsheet/core';
import {
  AD_FIELDS,
  type AdDraft,
  addAd as add,
  adState,
  editAd as edit,
  listAds as list,
  mediaUrl,
  OperationError,
  readImage,
  requireAd,
  requireBlog,
  setAdActive,
  withImages,
} from '@broadsheet/management';
import { type CommandFlags, notePublicUrl, publicUrlOf, withStore } from '../database/database.ts';
import { changesOf, draftOf, type FieldFlags } from '../program/flags.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

export async function listAds(blog: string, flags: CommandFlags): Promise<void> {
  const ads = await withStore(flags, {}, (store) => list(store, blog));
  const now = Date.now();
  const rows = ads.map((ad) => [ad.id, ad.format, ad.priority, adState(ad, now), ad.title ?? '']);
  const none = `${blog} has no ads yet; "broadsheet ads add ${blog} --format BANNER …" adds one.`;
  printResult(flags, ads, rows.length > 0 ? table(['AD', 'FORMAT', 'PRIORITY', 'STATE', 'TITLE'], rows) : none);
}

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

export async function setActive(blog: string, id: string, active: boolean, flags: CommandFlags): Promise<void> {
  const ad = await withStore(flags, {}, (store) => setAdActive(store, blog, id, active));
  printResult(flags, { blog, id: ad.id, active }, `${active ? 'Resumed' : 'Paused'} ${ad.id}.`);
}
