/** The size of an image in pixels. */
interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The segments that begin the frame of a baseline, extended or progressive JPEG. */
const FRAMES: ReadonlySet<number | undefined> = new Set([0xc0, 0xc1, 0xc2]);
/** The markers of the end of the image and of the beginning of its data, which comes after the frame. */
const ENDS: ReadonlySet<number | undefined> = new Set([0xd9, 0xda]);

/** A byte after 0xff that is data, or a marker without a segment. */
const isSingle = (marker: number | undefined): boolean =>
  marker === 0 || marker === 1 || (marker !== undefined && marker >= 0xd0 && marker <= 0xd7);

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** The metadata of a JPEG may take megabytes before the size, and is skipped as decoders do. */
function jpegSize(bytes: Uint8Array): PixelSize {
  const view = viewOf(bytes);
  for (let at = 2; ; ) {
    const marked = bytes.indexOf(0xff, at);
    if (marked === -1) throw new RangeError('The JPEG has no frame.');
    at = marked;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    if (ENDS.has(marker)) throw new RangeError('The JPEG has no frame.');
    if (FRAMES.has(marker)) return { height: view.getUint16(at + 4), width: view.getUint16(at + 6) };
    at += isSingle(marker) ? 1 : 1 + view.getUint16(at + 1);
  }
}

/** Whether the bytes are AVIF; HEIC has the same container, but few browsers display it. */
const isAvif = (bytes: Uint8Array): boolean => textAt(bytes, 4) === 'ftyp' && textAt(bytes, 8) === 'avif';

/** The sizes of the images in an AVIF file, including previews and the parts of a large image. */
function avifSizes(bytes: Uint8Array): readonly PixelSize[] {
  const view = viewOf(bytes);
  let within = [{ from: 0, to: bytes.length }];
  for (const [type, skipped] of PATH) {
    within = within.flatMap((outer) =>
      boxesOf(bytes, outer, type).map(({ from, to }) => ({ from: from + skipped, to })),
    );
  }
  if (within.length === 0) throw new RangeError('The AVIF has no size.');
  return within.map(({ from }) => ({ width: view.getUint32(from), height: view.getUint32(from + 4) }));
}

/** The boxes that contain sizes, and the number of bytes before the content of each. */
const PATH = [
  ['meta', 4],
  ['iprp', 0],
  ['ipco', 0],
  ['ispe', 4],
] as const;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The contents of the boxes of one type. */
function boxesOf(bytes: Uint8Array, { from, to }: Span, type: string): Span[] {
  const view = viewOf(bytes);
  const found: Span[] = [];
  for (let at = from; at + HEADER <= to; ) {
    const size = view.getUint32(at);
    // A size of 1 is followed by the size in 64 bits, and one of 0 reaches to the end.
    const isLong = size === 1;
    const length = isLong ? Number(view.getBigUint64(at + HEADER)) : size || to - at;
    const start = at + HEADER + (isLong ? 8 : 0);
    const end = Math.min(at + length, to);
    if (end < start) throw new RangeError('A box of the AVIF is smaller than its header.');
    if (textAt(bytes, at + 4) === type) found.push({ from: start, to: end });
    at = end;
  }
  return found;
}

/** The size and the type of a box. */
const HEADER = 8;

/** The four characters at a position, or fewer at the end. */
const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const isPng = (bytes: Uint8Array): boolean => PNG_SIGNATURE.every((byte, at) => bytes[at] === byte);

function pngSize(bytes: Uint8Array): PixelSize {
  if (textAt(bytes, 12) !== 'IHDR') throw new RangeError('The PNG does not begin with its size.');
  const view = viewOf(bytes);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const isGif = (bytes: Uint8Array): boolean => textAt(bytes, 0) === 'GIF8' && /^[79]a/.test(textAt(bytes, 4));

/** The blocks of a GIF by their first byte. */
const GIF = { extension: 0x21, frame: 0x2c, end: 0x3b };
/** Bytes of the header with the size, and of the description of a frame. */
const GIF_HEADER = 13;
const GIF_FRAME = 10;

/**
 * The declared size of a GIF, and the area that each frame needs: browsers enlarge it to its first frame, whatever size
 * it declares.
 */
function gifSizes(bytes: Uint8Array): readonly PixelSize[] {
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

const isWebp = (bytes: Uint8Array): boolean => textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP';

/** The sizes of a WebP image, its canvas and its frames. */
function webpSizes(bytes: Uint8Array): readonly PixelSize[] {
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

/** How each kind of image is recognized and measured. */
export const FORMATS: readonly {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp' | 'avif';
  readonly is: (bytes: Uint8Array) => boolean;
  /** The size of the image comes first. @throws RangeError when there is no size */
  readonly sizes: (bytes: Uint8Array) => readonly PixelSize[];
}[] = [
  { extension: 'png', is: isPng, sizes: (bytes) => [pngSize(bytes)] },
  { extension: 'jpg', is: isJpeg, sizes: (bytes) => [jpegSize(bytes)] },
  { extension: 'gif', is: isGif, sizes: gifSizes },
  { extension: 'webp', is: isWebp, sizes: webpSizes },
  { extension: 'avif', is: isAvif, sizes: avifSizes },
];
