import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotedSnapshot } from '@broadsheet/content';
import { findMedia, type Image, mediaPath } from '@broadsheet/core';
import { mediaUrl, OperationError, readImage } from '@broadsheet/management';

/** The absolute URL of an image that a server stores. */
const ABSOLUTE = /https?:\/\/[^\s"'<>()\\?#]*?(\/media\/[\da-f]{64}\.\w+)/g;

/**
 * Adds the images that `broadsheet export --media` wrote to a snapshot, and makes their URLs those of this server.
 * Images that are not in the folder keep their URLs, with a note.
 *
 * @throws OperationError when a file does not match the hash in its name
 */
export async function addMedia(content: NotedSnapshot, folder: string, publicUrl: string): Promise<NotedSnapshot> {
  const files = await readdir(folder).catch((error: Error) => {
    throw new OperationError([{ at: '--media', message: error.message }]);
  });
  const names = new Set(files);
  const images = new Map<string, Image>();
  const moved = <T>(item: T): T => JSON.parse(moveUrls(JSON.stringify(item), images, publicUrl));
  const { blogs } = content.snapshot;
  const missing = new Set<string>();
  for (const { posts = [], ads = [] } of blogs) {
    for (const item of [...posts, ...ads]) {
      for (const path of findMedia(JSON.stringify(item))) {
        const name = mediaPath(path).replace('/media/', '');
        if (!names.has(name)) missing.add(name);
        else if (!images.has(path.hash)) images.set(path.hash, await readNamed(folder, name));
      }
    }
  }
  const changed = blogs.map((blog) => ({
    ...blog,
    ...(blog.posts && { posts: blog.posts.map(moved) }),
    ...(blog.ads && { ads: blog.ads.map(moved) }),
  }));
  const left =
    missing.size === 1
      ? `1 image is not in ${folder}, so its URL stays`
      : `${missing.size} images are not in ${folder}, so their URLs stay`;
  return {
    ...content,
    snapshot: { blogs: changed },
    images: [...(content.images ?? []), ...images.values()],
    notes: missing.size > 0 ? [...content.notes, left] : content.notes,
  };
}

/** The image with this file name. @throws OperationError */
async function readNamed(folder: string, name: string): Promise<Image> {
  const image = await readImage(new Uint8Array(await readFile(join(folder, name))), name);
  if (mediaPath(image) === `/media/${name}`) return image;
  throw new OperationError([
    { at: join(folder, name), message: 'does not match the hash in its name: the file was changed' },
  ]);
}

/** Replaces the server in the absolute URLs of known images in JSON; relative URLs stay. */
const moveUrls = (json: string, images: ReadonlyMap<string, Image>, publicUrl: string): string =>
  json.replace(ABSOLUTE, (url, path: string) => {
    const image = findMedia(path).flatMap(({ hash }) => images.get(hash) ?? []);
    return image[0] ? mediaUrl(publicUrl, image[0]) : url;
  });
