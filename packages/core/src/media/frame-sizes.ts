import { type PixelSize, textAt, viewOf } from './image-sizes.ts';

// The sizes of PNG, GIF and WebP. The last two consist of frames, each with its own size: browsers enlarge a GIF to its
// first frame, whatever size the file declares.

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export const isPng = (bytes: Uint8Array): boolean => PNG_SIGNATURE.every((byte, at) => bytes[at] === byte);

/** @throws RangeError when there is no size */
export function pngSize(bytes: Uint8Array): PixelSize {
  if (textAt(bytes, 12) !== 'IHDR') throw new RangeError('The PNG does not begin with its size.');
  const view = viewOf(bytes);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

export const isGif = (bytes: Uint8Array): boolean => textAt(bytes, 0) === 'GIF8' && /^[79]a/.test(textAt(bytes, 4));

/** The blocks of a GIF by their first byte. */
const GIF = { extension: 0x21, frame: 0x2c, end: 0x3b };
/** Bytes of the header with the size, and of the description of a frame. */
const GIF_HEADER = 13;
const GIF_FRAME = 10;

/**
 * The declared size, and the area that each frame needs.
 *
 * @throws RangeError when there is no size
 */
export function gifSizes(bytes: Uint8Array): readonly PixelSize[] {
  const view = viewOf(bytes);
  const sizes = [{ width: view.getUint16(6, true), height: view.getUint16(8, true) }];
  let at = GIF_HEADER + colorsAt(bytes, 10);
  while (at < bytes.length && bytes[at] !== GIF.end) {
    const block = bytes[at];
    if (block === GIF.extension) at = afterSubBlocks(bytes, at + 2);
    // Decoders skip bytes between blocks.
    else if (block !== GIF.frame) at += 1;
    else {
      if (at + GIF_FRAME > bytes.length) break;
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => view.getUint16(at + place, true));
      sizes.push({ width: left + width, height: top + height });
      // The byte after the colors is the size of the first codes.
      at = afterSubBlocks(bytes, at + GIF_FRAME + colorsAt(bytes, at + 9) + 1);
    }
  }
  return sizes;
}

/** The bytes of a color table, by the byte that describes it. */
function colorsAt(bytes: Uint8Array, at: number): number {
  const packed = bytes[at] ?? 0;
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

/** Where the data after a list of sub-blocks begins; each begins with its length, and the last has none. */
function afterSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return at + 1;
}

export const isWebp = (bytes: Uint8Array): boolean => textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP';

/**
 * The sizes of an image, its canvas and its frames.
 *
 * @throws RangeError when there is no size
 */
export function webpSizes(bytes: Uint8Array): readonly PixelSize[] {
  const view = viewOf(bytes);
  const sizes: PixelSize[] = [];
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= bytes.length; ) {
    const type = textAt(bytes, at);
    const length = view.getUint32(at + 4, true);
    const data = at + CHUNK_HEADER;
    if (type === 'VP8X') sizes.push({ width: 1 + uint24(view, data + 4), height: 1 + uint24(view, data + 7) });
    if (type === 'ANMF') sizes.push({ width: 1 + uint24(view, data + 6), height: 1 + uint24(view, data + 9) });
    if (type === 'VP8 ') sizes.push({ width: uint14(view, data + 6), height: uint14(view, data + 8) });
    if (type === 'VP8L')
      sizes.push({ width: 1 + uint14(view, data + 1), height: 1 + ((view.getUint32(data + 1, true) >> 14) & 0x3fff) });
    // The chunks of a frame are within its chunk. Chunks have an even length.
    at = data + (type === 'ANMF' ? WEBP_FRAME : length + (length & 1));
  }
  return sizes;
}

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** Bytes before the chunks of a frame. */
const WEBP_FRAME = 16;

const uint14 = (view: DataView, at: number): number => view.getUint16(at, true) & 0x3fff;
const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
