import { describe, expect, it } from 'vitest';
import { systemRandom } from './random.ts';

describe('systemRandom', () => {
  it('stays below the bound, one included', () => {
    expect(systemRandom.below(1)).toBe(0);
    const drawn = new Set(Array.from({ length: 400 }, () => systemRandom.below(3)));
    expect([...drawn].sort()).toEqual([0, 1, 2]);
  });
});
