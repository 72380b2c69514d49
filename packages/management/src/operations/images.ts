import { LIMITS, withoutTrailingSlashes } from '@broadsheet/contract';
import { type Image, imageKind, mediaPath } from '@broadsheet/core';
import { fromBase64, isBase64, type OperatorStore, sha256Hex } from '@broadsheet/store';
import { OperationError } from './operation-error.ts';

/** Reads an image from its bytes. @param name its name in errors. @throws OperationError when it cannot be stored */
export async function readImage(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Image> {
  const kind = imageKind(bytes);
  if (typeof kind === 'string') throw new OperationError([{ at: 'imageUrl', message: `${name} ${kind}` }]);
  return { hash: await sha256Hex(bytes), extension: kind.extension, bytes };
}

/** The name of a file as the name of an ad. */
export const fileName = (path: string): string =>
  [...(path.split(/[/\\]/).at(-1) ?? '').toWellFormed()].slice(0, LIMITS.name.max).join('');

/** The maximum number of bytes of an image as base64. */
export const IMAGE_BYTES = 14 * 1024 * 1024;

/** Reads an image that was sent as base64. @throws OperationError when it is not one, or cannot be stored */
export function readBase64Image(base64: string): Promise<Image> {
  if (!isBase64(base64)) throw new OperationError([{ at: 'image', message: 'expected base64' }]);
  return readImage(fromBase64(base64), 'the image');
}

/** Where the images of a blog are, here or on a server. */
type ImageStore = Pick<OperatorStore, 'missingImages' | 'putImage'>;

/** Stores the images that a blog does not have. Call it before and after writing the text that refers to them. */
export async function putImages(store: ImageStore, blog: string, images: readonly Image[]): Promise<void> {
  const byHash = new Map(images.map((image) => [image.hash, image]));
  for (const hash of await store.missingImages(blog, [...byHash.keys()])) {
    const image = byHash.get(hash);
    if (image) await store.putImage(blog, image);
  }
}

/** The URL of a stored image. @param publicUrl the URL under which clients reach the server */
export const mediaUrl = (publicUrl: string, image: Image): string =>
  withoutTrailingSlashes(publicUrl) + mediaPath(image);
