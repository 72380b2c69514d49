import { CORS, matchesTag } from '../http/response.ts';
import { findMedia, IMAGE_TYPES, type ImagePath, mediaPath } from './image.ts';

/** An image that is stored; its bytes are read while the response is being sent. */
export interface StoredImage extends ImagePath {
  /** Bytes. */
  readonly size: number;
  readonly parts: () => AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Where stored images are found. */
export interface ImageStore {
  findImage(path: ImagePath): Promise<StoredImage | undefined>;
}

/**
 * Headers of every stored image. A page of any site may show it. Opened directly, it runs nothing, even if its bytes
 * are also a valid web page.
 */
const HEADERS = {
  ...CORS,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // The URL contains the hash of the bytes.
  'cache-control': 'public, max-age=31536000, immutable',
};

/** Handles a GET or HEAD request for a stored image; `undefined` when there is no image at its path. */
export async function mediaResponse(request: Request, store: ImageStore): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const [path] = findMedia(pathname);
  if (!path || mediaPath(path) !== pathname) return undefined;
  const image = await store.findImage(path);
  if (!image) return undefined;
  const etag = `"${image.hash}"`;
  const headers = { ...HEADERS, etag };
  if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const body = request.method === 'HEAD' ? null : streamOf(image.parts()[Symbol.asyncIterator]());
  const about = { 'content-type': IMAGE_TYPES[image.extension], 'content-length': String(image.size) };
  return new Response(body, { headers: { ...headers, ...about } });
}

/** Reads a part only when the client has received the previous one. */
function streamOf(parts: AsyncIterator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
