import { describe, expect, it } from 'vitest';
import { cover } from './cover.ts';
import { MOTIF_NAMES } from './motif.ts';

describe('cover', () => {
  it.each(MOTIF_NAMES)('draws %s the same way for one word, and otherwise for another', (motif) => {
    const drawn = cover('a word', motif);
    expect(cover('a word', motif)).toBe(drawn);
    expect(cover('another', motif)).not.toBe(drawn);
    expect(drawn).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 960 640"[^>]*>.*<\/svg>$/);
    expect(drawn).not.toMatch(/NaN|undefined|Infinity|style=|<script/);
    expect(drawn.length).toBeLessThan(120_000);
  });

  it('finds a motif for any word', () => {
    const drawn = ['', 'été', '🚲', 'a'.repeat(500)].map((word) => cover(word));
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});
