import { findMedia } from '@broadsheet/core';
import { OperationError } from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import type { DurableStorage } from '../durable/driver.ts';
import { blogObjectName, directoryName } from './directory.ts';
import type { Environment } from './environment.ts';

/** The maximum size of an image on Workers in bytes; a post has the same limit. */
const IMAGE_BYTES = 2_000_000;

/** @throws OperationError for an image that is too large for a Durable Object */
export function requireSmallImage(bytes: number, name = 'The image'): void {
  if (bytes <= IMAGE_BYTES) return;
  const size = (bytes / 1_000_000).toFixed(1);
  throw new OperationError(`${name} has ${size} MB; on Workers, an image may have at most 2 MB. Make it smaller.`);
}

/** A store that refuses images that are too large here, and reports the hashes of those that it stores. */
export function watchImages<Store extends Pick<SqlStore, 'putImage' | 'transact'>>(
  store: Store,
  onStored: (hash: string) => void,
): Store {
  const watched = <Part extends Pick<SqlStore, 'putImage'>>(part: Part): Part => ({
    ...part,
    async putImage(blogId, image) {
      requireSmallImage(image.bytes.length);
      await part.putImage(blogId, image);
      onStored(image.hash);
    },
  });
  const transact: SqlStore['transact'] = (work, options) => store.transact((within) => work(watched(within)), options);
  return { ...watched(store), transact };
}

/** Whether a request reads a stored image. */
export const isMedia = ({ method, url }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && new URL(url).pathname.startsWith('/media/');

/** Responds with a stored image from the object of a blog that has it. */
export async function respondWithMedia(request: Request, { BLOGS }: Environment): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [path] = findMedia(pathname);
  const blogs = path ? await BLOGS.getByName(directoryName(path.hash)).findImageBlogs(path.hash) : [];
  for (const blogId of blogs) {
    const response = await BLOGS.getByName(blogObjectName(blogId)).fetch(request);
    if (response.status !== 404) return response;
  }
  return new Response(`There is no image ${pathname}.\n`, { status: 404 });
}

/** The hashes of all images of a blog. */
export const imagesIn = ({ sql }: DurableStorage): readonly string[] =>
  sql
    .exec('select hash from images where part = 0')
    .toArray()
    .map(({ hash }) => String(hash));

/** Adds images of a blog to the directory. */
export async function giveImages({ BLOGS }: Environment, blogId: string, hashes: readonly string[]): Promise<void> {
  for (const [name, some] of Map.groupBy(hashes, directoryName)) await BLOGS.getByName(name).addImages(blogId, some);
}
