import { type Image, imageKind, mediaPath } from '@broadsheet/core';
import { sha256Hex } from '@broadsheet/store';
import { fromBase64 } from '../remote/base64.ts';
import type { ManagedStore } from '../remote/verbs.ts';
import { requireBlog } from './blogs.ts';
import { OperationError } from './operation-error.ts';

/** Reads an image from its bytes. @param name its name in errors. @throws OperationError when it cannot be stored */
export async function readImage(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Image> {
  const kind = imageKind(bytes);
  if (typeof kind === 'string') throw new OperationError([{ at: 'imageUrl', message: `${name} ${kind}` }]);
  return { hash: await sha256Hex(bytes), extension: kind.extension, bytes };
}

/** Stores the images that a blog does not have. Call it before and after writing the text that refers to them. */
export async function putImages(
  store: Pick<ManagedStore, 'missingImages' | 'putImage'>,
  blog: string,
  images: readonly Image[],
): Promise<void> {
  const byHash = new Map(images.map((image) => [image.hash, image]));
  for (const hash of await store.missingImages(blog, [...byHash.keys()])) {
    const image = byHash.get(hash);
    if (image) await store.putImage(blog, image);
  }
}

/** Writes content that refers to images, and stores the images that the blog does not have. */
export async function withImages<T>(
  store: Pick<ManagedStore, 'missingImages' | 'putImage'>,
  blog: string,
  images: readonly Image[],
  write: () => Promise<T>,
): Promise<T> {
  await putImages(store, blog, images);
  const written = await write();
  await putImages(store, blog, images);
  return written;
}

/** Stores an image that arrives as base64. @throws OperationError */
export async function addImage(store: Pick<ManagedStore, 'putImage'>, blog: string, base64: string): Promise<void> {
  await store.putImage(blog, await readImage(fromBase64(base64), 'the image'));
}

/** The URL of a stored image. @param publicUrl the URL under which clients reach the server */
export const mediaUrl = (publicUrl: string, image: Image): string => publicUrl.replace(/\/+$/, '') + mediaPath(image);

/** The number of texts in which the URLs of images were replaced, by blog. */
interface MovedMedia {
  readonly blog: string;
  readonly changed: number;
}

/**
 * Replaces the URL of a server in the URLs of its stored images, in one blog or in all.
 *
 * @throws OperationError when one of the URLs is not a URL of a server
 */
export async function moveMedia(
  store: ManagedStore,
  { from, to, blog }: { readonly from: string; readonly to: string; readonly blog?: string | undefined },
): Promise<readonly MovedMedia[]> {
  const [before, after] = [readServerUrl('OLD', from), readServerUrl('NEW', to)];
  const blogs = blog === undefined ? await store.listBlogs() : [await requireBlog(store, blog)];
  const moved: MovedMedia[] = [];
  for (const { id } of blogs) moved.push({ blog: id, changed: await store.moveMedia(id, before, after) });
  return moved;
}

function readServerUrl(at: string, text: string): string {
  const url = text
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/media$/, '');
  if (/^https?:\/\/[^?#\s"\\]+$/.test(url) && URL.canParse(url)) return url;
  const message = `expected the http(s) URL of a server, such as https://blog.example, received ${JSON.stringify(text)}`;
  throw new OperationError([{ at, message }]);
}
