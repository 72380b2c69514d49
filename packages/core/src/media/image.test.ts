import { describe, expect, it } from 'vitest';
import { png, SAMPLE_IMAGES } from '../../../../tools/testing/images.ts';
import { findMedia, IMAGE_LIMITS, imageKind, mediaPath } from './image.ts';

const text = (content: string) => new TextEncoder().encode(content);
const HASH = 'a'.repeat(64);

describe('imageKind', () => {
  it('recognizes each kind by its bytes', () => {
    const sizes = { png: [2, 3], jpg: [1, 1], gif: [1, 1], webp: [1, 1], avif: [2, 2] };
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      const [width, height] = sizes[extension as keyof typeof sizes];
      expect(imageKind(bytes)).toMatchObject({ extension, width, height });
    }
  });

  it('refuses SVG and web pages, whatever their names', () => {
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

  it('takes a polyglot as the image that its first bytes are', () => {
    const polyglot = new Uint8Array([...SAMPLE_IMAGES.gif, ...text('<script>alert(1)</script>')]);
    expect(imageKind(polyglot)).toMatchObject({ extension: 'gif' });
  });

  it('accepts 10 MiB and 50 megapixels, and refuses one more of each', () => {
    expect(imageKind(png(1, 1, IMAGE_LIMITS.bytes))).toMatchObject({ extension: 'png' });
    expect(imageKind(png(1, 1, IMAGE_LIMITS.bytes + 1))).toContain('has 10.1 MiB; an image may have at most 10 MiB');
    expect(imageKind(png(10_000, 5000))).toMatchObject({ width: 10_000 });
    expect(imageKind(png(10_000, 10_000))).toContain('10000 x 10000 pixels; it may have at most 50 megapixels');
    expect(imageKind(png(0xffffffff, 0xffffffff))).toContain('at most 50 megapixels');
    expect(imageKind(png(0, 5))).toContain('without a size');
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
  it('finds every path that mediaPath makes, in any kind of text', () => {
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
