import { describe, expect, it } from 'vitest';
import { png, SAMPLE_IMAGES } from '../../../../tools/testing/images.ts';
import { findMedia, IMAGE_LIMITS, imageKind, mediaPath } from './image.ts';

const text = (content: string) => new TextEncoder().encode(content);
const HASH = 'a'.repeat(64);

const joined = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));

/** A JPEG with these bytes between its first two and the rest. */
const jpegWith = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  joined([0xff, 0xd8], ...parts, SAMPLE_IMAGES.jpg.subarray(2));

/** A segment of metadata with as many bytes as fit into one. */
const longSegment = (marker: number, content: Uint8Array | readonly number[] = []) => {
  const segment = new Uint8Array(2 + 0xffff);
  segment.set([0xff, marker, 0xff, 0xff, ...content]);
  return segment;
};

/** A box of an AVIF file: the format of MP4. */
const box = (type: string, ...parts: readonly (Uint8Array | readonly number[])[]) => {
  const content = joined(...parts);
  const bytes = new Uint8Array(8 + content.length);
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(text(type), 4);
  bytes.set(content, 8);
  return bytes;
};
const ispe = (width: number, height: number) => box('ispe', [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height]);
const avif = (properties: readonly Uint8Array[], before: readonly Uint8Array[] = []) =>
  joined(
    box('ftyp', text('avif'), [0, 0, 0, 0], text('mif1')),
    ...before,
    box('meta', [0, 0, 0, 0], box('hdlr', new Uint8Array(24)), box('iprp', box('ipco', ...properties))),
  );

describe('imageKind', () => {
  it('recognizes each kind by its bytes', () => {
    const sizes = { png: [2, 3], jpg: [1, 1], gif: [1, 1], webp: [1, 1], avif: [2, 2] };
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      const [width, height] = sizes[extension as keyof typeof sizes];
      expect(imageKind(bytes)).toMatchObject({ extension, width, height });
    }
  });

  it('refuses SVG and web pages, regardless of their names', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect(imageKind(text(svg))).toContain('is SVG');
    expect(imageKind(text(`<?xml version="1.0"?>\n${svg}`))).toContain('is SVG');
    expect(imageKind(text('\n<!DOCTYPE html><script>alert(1)</script>'))).toContain('is a web page');
    expect(imageKind(text('<html><img src="a.png"></html>'))).toContain('is a web page');
  });

  it('refuses other files, and says which kinds are supported', () => {
    for (const bytes of [text(''), text('BM'), text('GIF'), text('%PDF-1.7'), new Uint8Array(1000)]) {
      expect(imageKind(bytes)).toContain('use PNG, JPEG, GIF, WebP or AVIF');
    }
    const heic = SAMPLE_IMAGES.avif.slice();
    heic.set(text('heic'), 8);
    expect(imageKind(heic)).toContain('not an image of a supported kind');
  });

  it('refuses an image that is cut off before its size', () => {
    for (const bytes of Object.values(SAMPLE_IMAGES)) {
      expect(imageKind(bytes.slice(0, 9))).toMatch(/damaged|supported|without a size/);
    }
  });

  it('treats a polyglot as the kind of image that its first bytes show', () => {
    const polyglot = new Uint8Array([...SAMPLE_IMAGES.gif, ...text('<script>alert(1)</script>')]);
    expect(imageKind(polyglot)).toMatchObject({ extension: 'gif' });
  });

  it('accepts 10 MiB and 50 megapixels, and refuses one more byte or pixel', () => {
    expect(imageKind(png(1, 1, IMAGE_LIMITS.bytes))).toMatchObject({ extension: 'png' });
    expect(imageKind(png(1, 1, IMAGE_LIMITS.bytes + 1))).toContain('has 10.1 MiB; an image may have at most 10 MiB');
    expect(imageKind(png(10_000, 5000))).toMatchObject({ width: 10_000 });
    expect(imageKind(png(10_000, 10_000))).toContain('10000 x 10000 pixels; it may have at most 50 megapixels');
    expect(imageKind(png(0xffffffff, 0xffffffff))).toContain('at most 50 megapixels');
    expect(imageKind(png(0, 5))).toContain('without a size');
  });

  it('finds the size of a JPEG after metadata of any length', () => {
    const metadata = Array.from({ length: 20 }, (_, index) => longSegment(index === 0 ? 0xe1 : 0xe2));
    const bytes = jpegWith(...metadata);
    expect(bytes.length).toBeGreaterThan(1.2 * 1024 * 1024);
    expect(imageKind(bytes)).toEqual({ extension: 'jpg', width: 1, height: 1, pixels: 1 });
  });

  it('takes the size of a JPEG from its frame, and not from a preview in its metadata', () => {
    const preview = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9];
    expect(imageKind(jpegWith(longSegment(0xe1, preview)))).toMatchObject({ width: 1, height: 1 });
    // Decoders skip fill bytes, single markers and bytes that belong to no segment.
    expect(imageKind(jpegWith([0xff, 0xff, 0xff], [0xff, 0x01], [7, 7], [0xff, 0]))).toMatchObject({ width: 1 });
    const bomb = [0xff, 0xc2, 0, 17, 8, 0x75, 0x30, 0x75, 0x30];
    expect(imageKind(jpegWith(...Array.from({ length: 20 }, () => longSegment(0xe2)), bomb))).toContain(
      '30000 x 30000 pixels',
    );
  });

  it('refuses a JPEG without a frame, however long it is', () => {
    const most = IMAGE_LIMITS.bytes - 2;
    for (const byte of [0xff, 0, 7, 0xd9]) {
      expect(imageKind(joined([0xff, 0xd8], new Uint8Array(most).fill(byte)))).toContain('is a damaged image');
    }
    // The data of an image never comes before its frame.
    expect(imageKind(jpegWith([0xff, 0xda, 0, 2]))).toContain('is a damaged image');
  });

  it('finds the largest frame of a GIF, regardless of its declared size', () => {
    const u16 = (value: number) => [value & 255, value >> 8];
    const gif = (screen: readonly [number, number], ...blocks: readonly (Uint8Array | readonly number[])[]) =>
      joined(text('GIF89a'), u16(screen[0]), u16(screen[1]), [0x80, 0, 0], new Uint8Array(6), ...blocks, [0x3b]);
    const frame = (width: number, height: number, [left, top] = [0, 0]) => [
      0x2c,
      ...u16(left),
      ...u16(top),
      ...u16(width),
      ...u16(height),
      0x81,
      ...Array(12).fill(0),
      2,
      3,
      1,
      2,
      3,
      0,
    ];
    const comment = [0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 0];
    expect(imageKind(gif([3, 2], comment, frame(3, 2)))).toEqual({ extension: 'gif', width: 3, height: 2, pixels: 6 });
    expect(imageKind(gif([1, 1], frame(12_000, 12_000)))).toContain('more than 50 megapixels');
    expect(imageKind(gif([1, 1], frame(1, 1), [0, 0], comment, frame(1, 1, [30_000, 30_000])))).toContain('megapixels');
    // A browser stops at the end.
    expect(imageKind(joined(gif([1, 1], frame(1, 1)), frame(12_000, 12_000)))).toMatchObject({ pixels: 1 });
    expect(imageKind(gif([1, 1], frame(2, 2)).slice(0, 40))).toMatchObject({ width: 1, pixels: 4 });
    expect(imageKind(gif([1, 1], new Uint8Array(IMAGE_LIMITS.bytes - 100)))).toMatchObject({ pixels: 1 });
  });

  it('finds the largest frame of a WebP image', () => {
    const chunk = (type: string, ...parts: readonly (Uint8Array | readonly number[])[]) => {
      const data = joined(...parts);
      const length = new Uint8Array(new Uint32Array([data.length]).buffer);
      return joined(text(type), length, data, new Uint8Array(data.length % 2));
    };
    const u24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];
    const canvas = (width: number, height: number) => chunk('VP8X', [2, 0, 0, 0], u24(width - 1), u24(height - 1));
    const lossless = (width: number, height: number) =>
      chunk('VP8L', [0x2f], new Uint8Array(new Uint32Array([(width - 1) | ((height - 1) << 14)]).buffer));
    const lossy = (width: number, height: number) =>
      chunk('VP8 ', new Uint8Array(6), new Uint8Array(new Uint16Array([width, height]).buffer));
    const frame = (width: number, height: number, ...parts: readonly Uint8Array[]) =>
      chunk('ANMF', new Uint8Array(6), u24(width - 1), u24(height - 1), new Uint8Array(4), ...parts);
    const webp = (...chunks: readonly Uint8Array[]) => joined(text('RIFF'), [0, 0, 0, 0], text('WEBP'), ...chunks);
    expect(
      imageKind(webp(canvas(5, 4), frame(3, 2, lossy(3, 2)), frame(2, 1, chunk('ALPH', [1]), lossless(2, 1)))),
    ).toEqual({ extension: 'webp', width: 5, height: 4, pixels: 20 });
    expect(imageKind(webp(lossless(16_384, 3)))).toMatchObject({ width: 16_384, height: 3 });
    for (const large of [lossy(16_000, 16_000), lossless(16_000, 16_000), frame(70_000, 70_000)]) {
      expect(imageKind(webp(large))).toContain('megapixels');
      expect(imageKind(webp(canvas(1, 1), chunk('ICCP', [1]), large))).toContain('more than 50 megapixels');
      expect(imageKind(webp(canvas(1, 1), frame(1, 1, lossy(1, 1)), frame(1, 1, large)))).toContain('megapixels');
    }
    expect(imageKind(webp(chunk('EXIF', [1])))).toContain('without a size');
    const frames = joined(...Array.from({ length: 1000 }, () => frame(1, 1)));
    expect(imageKind(webp(...Array.from({ length: 400 }, () => frames)))).toMatchObject({ width: 1, pixels: 1 });
  });

  it('finds the size of an AVIF after its data, and beside a long color profile', () => {
    expect(imageKind(avif([ispe(3, 4)], [box('mdat', new Uint8Array(100_000))]))).toMatchObject({
      width: 3,
      height: 4,
    });
    expect(imageKind(avif([box('colr', new Uint8Array(100_000)), ispe(3, 4)]))).toMatchObject({ width: 3, height: 4 });
    expect(imageKind(avif([]))).toContain('is a damaged image');
    expect(imageKind(avif([box('colr', new Uint8Array(3))], [box('mdat', new Uint8Array(3))]))).toContain(
      'is a damaged image',
    );
  });

  it('reads an AVIF with hundreds of thousands of sizes', () => {
    const sizes = joined(...Array.from({ length: 100_000 }, () => ispe(1, 1)));
    expect(imageKind(avif([sizes, sizes, sizes, sizes]))).toMatchObject({ extension: 'avif', width: 1 });
    expect(imageKind(avif([sizes, ispe(255, 255)]))).toMatchObject({ width: 1, pixels: 255 * 255 });
  });

  it('finds the largest of the images in an AVIF file', () => {
    const bomb = SAMPLE_IMAGES.avif.slice();
    const ispe = Buffer.from(bomb.buffer).indexOf('ispe');
    new DataView(bomb.buffer).setUint32(ispe + 8, 30_000);
    new DataView(bomb.buffer).setUint32(ispe + 12, 30_000);
    expect(imageKind(bomb)).toContain('30000 x 30000 pixels');
  });
});

describe('findMedia', () => {
  it('finds every path that mediaPath creates, in any kind of text', () => {
    for (const extension of ['png', 'jpg', 'gif', 'webp', 'avif'] as const) {
      const path = mediaPath({ hash: HASH, extension });
      for (const around of [`![](https://news.example${path})`, `"coverUrl":"${path}"`, `See ${path}.`]) {
        expect(findMedia(around)).toEqual([{ hash: HASH, extension }]);
      }
    }
  });

  it('finds nothing that only resembles a path', () => {
    for (const path of [`/media/${HASH}.svg`, `/media/${HASH}.pngx`, `/media/${'A'.repeat(64)}.png`, '/media/a.png']) {
      expect(findMedia(path)).toEqual([]);
    }
  });
});
