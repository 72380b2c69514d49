import { FORMATS } from './image-sizes.ts';

/**
 * The largest image, in bytes and in pixels: even a small file can contain an image that exhausts a reader's memory.
 */
export const IMAGE_LIMITS = { bytes: 10 * 1024 * 1024, pixels: 50_000_000 } as const;

/** The media types of the images that are stored, by extension. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;

/** The extension of a stored image. */
export type ImageExtension = keyof typeof IMAGE_TYPES;

/** The parts of an image's path. */
export interface ImagePath {
  /** The SHA-256 of the bytes in lowercase hexadecimal. */
  readonly hash: string;
  readonly extension: ImageExtension;
}

/** An image as it is stored: once per blog, under the hash of its bytes. */
export interface Image extends ImagePath {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The format and size of an image. */
export interface ImageKind {
  readonly extension: ImageExtension;
  readonly width: number;
  readonly height: number;
}

/**
 * The kind and the size of an image, determined only from its bytes, or the reason why it cannot be stored, as the end
 * of a sentence that begins with its name. SVG and HTML are never stored, because they can contain scripts.
 *
 * @example
 * const kind = imageKind(bytes);
 * if (typeof kind === 'string') console.error(`photo.png ${kind}`);
 */
export function imageKind(bytes: Uint8Array): ImageKind | string {
  if (bytes.length > IMAGE_LIMITS.bytes) {
    return `has ${megabytes(bytes.length)} MiB; an image may have at most ${megabytes(IMAGE_LIMITS.bytes)} MiB`;
  }
  try {
    const kind = measure(bytes);
    if (!kind) return whyNoImage(bytes);
    const { width, height, pixels } = kind;
    if (!(width > 0 && height > 0)) return 'is an image without a size; save it again with an image editor';
    if (pixels <= IMAGE_LIMITS.pixels) return kind;
    const most = `${IMAGE_LIMITS.pixels / 1e6} megapixels`;
    if (width * height < pixels) return `contains an image of more than ${most}; it may have at most ${most}`;
    return `is an image of ${width} x ${height} pixels; it may have at most ${most}`;
  } catch {
    return 'is a damaged image: its size cannot be read; save it again with an image editor';
  }
}

/** @throws Error for an image whose size cannot be read */
function measure(bytes: Uint8Array): (ImageKind & { readonly pixels: number }) | undefined {
  const format = FORMATS.find(({ is }) => is(bytes));
  if (!format) return undefined;
  const sizes = format.sizes(bytes);
  const { width, height } = sizes[0] ?? { width: 0, height: 0 };
  const pixels = sizes.reduce((most, size) => Math.max(most, size.width * size.height), 0);
  return { extension: format.extension, width, height, pixels };
}

function whyNoImage(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 1024));
  const kinds = 'use PNG, JPEG, GIF, WebP or AVIF';
  if (/<svg[\s>]/i.test(start)) return `is SVG, which can contain scripts; ${kinds}`;
  if (/^\s*<(?:!doctype|html|head|body|script|\?xml|!--)/i.test(start)) return `is a web page, not an image; ${kinds}`;
  if (bytes.length === 0) return `is empty; ${kinds}`;
  return `is not an image of a supported kind; ${kinds}`;
}

/** In MiB, rounded up, so that a file above the limit never appears to be within it. */
const megabytes = (bytes: number): number => Math.ceil((bytes / 1024 / 1024) * 10) / 10;

/** The path of a stored image on every server. */
export const mediaPath = ({ hash, extension }: ImagePath): string => `/media/${hash}.${extension}`;

const MEDIA_PATH = new RegExp(`/media/([0-9a-f]{64})\\.(${Object.keys(IMAGE_TYPES).join('|')})(?!\\w)`, 'g');

/** The stored images to which a text refers, by any URL. */
export function findMedia(text: string): ImagePath[] {
  return [...text.matchAll(MEDIA_PATH)].map(([, hash = '', extension]) => ({
    hash,
    extension: extension as ImageExtension,
  }));
}
