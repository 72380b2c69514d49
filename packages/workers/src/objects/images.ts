import { findMedia } from '@broadsheet/core';
import { OperationError } from '@broadsheet/management';
import type { DurableStorage } from '../durable/driver.ts';
import type { Cache, WorkerContext } from '../edge-cache.ts';
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

/** Whether a request reads a stored image. */
export const isMedia = ({ method, url }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && new URL(url).pathname.startsWith('/media/');

/** Answers with a stored image: from the cache of the edge, or from the object of a blog that has it. */
export async function answerMedia(request: Request, { BLOGS }: Environment, context: WorkerContext): Promise<Response> {
  const cache = (globalThis as { caches?: { default?: Cache } }).caches?.default;
  const { origin, pathname } = new URL(request.url);
  const isWhole = request.method === 'GET' && !request.headers.has('if-none-match');
  const stored = isWhole ? await cache?.match(origin + pathname) : undefined;
  if (stored) return stored;
  const [path] = findMedia(pathname);
  const blogs = path ? await BLOGS.getByName(directoryName(path.hash)).findImageBlogs(path.hash) : [];
  for (const blogId of blogs) {
    const answer = await BLOGS.getByName(blogObjectName(blogId)).fetch(request);
    if (answer.status === 404) continue;
    if (cache && isWhole && answer.status === 200) context.waitUntil(cache.put(origin + pathname, answer.clone()));
    return answer;
  }
  return new Response(`There is no image ${pathname}.\n`, { status: 404 });
}

/** Adds images of a blog to the directory: all of them, or only the newest. */
export async function giveImages(
  { BLOGS }: Environment,
  { sql }: DurableStorage,
  { blogId, onlyNewest }: { readonly blogId: string; readonly onlyNewest: boolean },
): Promise<void> {
  const limit = onlyNewest ? 1 : -1;
  const rows = sql.exec('select hash from images where part = 0 order by rowid desc limit ?', limit).toArray();
  const shards = Map.groupBy(
    rows.map((row) => String(row['hash'])),
    directoryName,
  );
  for (const [name, hashes] of shards) await BLOGS.getByName(name).addImages(blogId, hashes);
}
