import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotBlog } from '@broadsheet/contract';
import { findMedia, type ImagePath, mediaPath } from '@broadsheet/core';
import { OperationError, requireBlog } from '@broadsheet/management';
import { type SqlStore, sha256Hex } from '@broadsheet/store';
import { type CommandFlags, type DatabaseTarget, withTarget } from '../database/database.ts';
import { note, printPart } from '../program/output.ts';

/** `broadsheet export BLOG`: each post is a line, printed as it is read, because a string can hold at most 512 MB. */
export async function exportBlog(id: string, flags: CommandFlags & { readonly media?: string }): Promise<void> {
  await withTarget(flags, {}, async (target) => {
    if (flags.media !== undefined) await createFolder(flags.media);
    const images = new Map<string, ImagePath>();
    const collect = (json: string) => {
      for (const image of findMedia(json)) images.set(image.hash, image);
    };
    let separator: string | undefined;
    await exportInParts(target, id, async ({ posts, ...blog }) => {
      if (separator === undefined) {
        const head = JSON.stringify(blog);
        collect(head);
        await printPart(`{"blogs":[${head.slice(0, -1)},"posts":[`);
        separator = '\n';
      }
      for (const post of posts) {
        const json = JSON.stringify(post);
        collect(json);
        await printPart(separator + json);
        separator = ',\n';
      }
    });
    await printPart('\n]}]}\n');
    if (flags.media !== undefined) await writeImages(target.store ?? target.client, [...images.values()], flags.media);
  });
}

/** Passes the blog without posts first, then repeatedly with some of its posts; a server over HTTP sends it whole. */
async function exportInParts(
  { store, client }: DatabaseTarget,
  id: string,
  take: (part: SnapshotBlog) => Promise<void>,
): Promise<void> {
  if (store) {
    await requireBlog(store, id);
    return store.exportInParts(id, take);
  }
  const blog = (await client.run('blogs.export', id, {})) as SnapshotBlog;
  await take({ ...blog, posts: [] });
  await take(blog);
}

/**
 * Writes stored images into a folder, and counts those that the server does not have.
 *
 * @throws OperationError when an image is not what its name says, such as a page that a proxy sent instead
 */
async function writeImages(
  store: Pick<SqlStore, 'findImage'>,
  paths: readonly ImagePath[],
  folder: string,
): Promise<void> {
  let written = 0;
  for (const path of paths) {
    const image = await store.findImage(path);
    if (!image) continue;
    const parts: Uint8Array[] = [];
    for await (const part of image.parts()) parts.push(part);
    const bytes = Buffer.concat(parts);
    if ((await sha256Hex(bytes)) !== path.hash)
      throw new OperationError(
        `The file received for ${mediaPath(path)} does not match its hash; try again in a moment.`,
      );
    await writeFile(join(folder, `${path.hash}.${path.extension}`), bytes);
    written += 1;
  }
  note(`Wrote ${written} images to ${folder}.`);
  const others = paths.length - written;
  const are = others === 1 ? '1 image is' : `${others} images are`;
  if (others > 0) note(`note: ${are} not stored on this server, and not in ${folder}`);
}

/** @throws OperationError before anything is printed, when the folder cannot be created */
async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new OperationError(`--media: the folder cannot be created: ${error.message}`);
  });
}
