/** The size of an image in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The segments that begin the frame of a baseline, extended or progressive JPEG. */
const FRAMES: ReadonlySet<number | undefined> = new Set([0xc0, 0xc1, 0xc2]);
/** The end of the image, and the beginning of its data, which comes after the frame. */
const ENDS: ReadonlySet<number | undefined> = new Set([0xd9, 0xda]);

/** A byte after 0xff that is data, or a marker without a segment. */
const isSingle = (marker: number | undefined): boolean =>
  marker === 0 || marker === 1 || (marker !== undefined && marker >= 0xd0 && marker <= 0xd7);

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/**
 * Reads the size of a JPEG. Its metadata may take megabytes before the size, and is skipped as decoders do.
 *
 * @throws RangeError when there is no size
 */
export function jpegSize(bytes: Uint8Array): PixelSize {
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
export const isAvif = (bytes: Uint8Array): boolean => textAt(bytes, 4) === 'ftyp' && textAt(bytes, 8) === 'avif';

/**
 * Reads the sizes of the images in an AVIF file, the parts of a large one and its previews among them.
 *
 * @throws RangeError when there is no size
 */
export function avifSizes(bytes: Uint8Array): readonly PixelSize[] {
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

/** The boxes in which sizes are, and how many bytes come before the content of each. */
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

/** The contents of the boxes of one type. @throws RangeError */
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

/** The four characters at a place, or fewer at the end. */
export const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
