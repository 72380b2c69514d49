import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotedSnapshot } from '@broadsheet/content';
import { findMedia, type Image, mediaPath } from '@broadsheet/core';
import { mediaUrl, OperationError, readImage } from '@broadsheet/management';

/** An absolute URL below which a server has its images. */
const SERVER = /https?:\/\/[^\s"'<>()\\?#]*$/;

/**
 * Adds the images that `broadsheet export --media` wrote to a snapshot, and makes their URLs those of this server.
 * Images that are not in the folder keep their URLs.
 *
 * @throws OperationError when a file does not match the hash in its name
 */
export async function addMedia(content: NotedSnapshot, folder: string, publicUrl: string) {
  const files = await readdir(folder).catch((error: Error) => {
    throw new OperationError([{ at: '--media', message: error.message }]);
  });
  const names = new Set(files);
  const images = new Map<string, Image>();
  const moved = <T>(item: T): T => JSON.parse(moveUrls(JSON.stringify(item), images, publicUrl));
  const { blogs } = content.snapshot;
  for (const { posts = [], ads = [] } of blogs) {
    for (const item of [...posts, ...ads]) {
      for (const path of findMedia(JSON.stringify(item))) {
        const name = mediaPath(path).replace('/media/', '');
        if (names.has(name) && !images.has(path.hash)) images.set(path.hash, await readNamed(folder, name));
      }
    }
  }
  const changed = blogs.map((blog) => ({
    ...blog,
    ...(blog.posts && { posts: blog.posts.map(moved) }),
    ...(blog.ads && { ads: blog.ads.map(moved) }),
  }));
  return { ...content, snapshot: { blogs: changed }, images: [...(content.images ?? []), ...images.values()] };
}

/** The image with this file name. @throws OperationError */
async function readNamed(folder: string, name: string): Promise<Image> {
  const image = await readImage(new Uint8Array(await readFile(join(folder, name))), name);
  if (mediaPath(image) === `/media/${name}`) return image;
  throw new OperationError([
    { at: join(folder, name), message: 'does not match the hash in its name: the file was changed' },
  ]);
}

/** Replaces the absolute URLs of known images in JSON. */
function moveUrls(json: string, images: ReadonlyMap<string, Image>, publicUrl: string): string {
  let moved = json;
  for (const path of new Map(findMedia(json).map((one) => [one.hash, one])).values()) {
    const image = images.get(path.hash);
    const parts = moved.split(mediaPath(path));
    if (!image) continue;
    const last = parts.pop() ?? '';
    moved = parts.map((part) => replaceEnd(part, image, publicUrl)).join('') + last;
  }
  return moved;
}

const replaceEnd = (before: string, image: Image, publicUrl: string): string =>
  SERVER.test(before) ? before.replace(SERVER, mediaUrl(publicUrl, image)) : before + mediaPath(image);
