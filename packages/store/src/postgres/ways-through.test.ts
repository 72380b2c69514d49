import { describe, expect, it } from 'vitest';
import { waysThrough } from './ways-through.ts';

const words = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describe('ways to posts that have a word of each group', () => {
  it.each([[[3]], [[300]], [[9, 1]], [[1, 700]], [[300, 300]], [[2, 20, 300]], [[300, 20, 2, 9]]])(
    'lead to every one of them once, with groups of %j words',
    (sizes) => {
      const groups = sizes.map((size, index) => words(size, index * 1000));
      const ways = waysThrough(groups);
      // A post is a word of each group; the first, the last and some between stand for all.
      const some = (group: readonly number[]) =>
        group.filter((_, index) => index % 97 < 9 || index === group.length - 1);
      const posts = groups.reduce<number[][]>(
        (all, group) => all.flatMap((post) => some(group).map((word) => [...post, word])),
        [[]],
      );
      for (const post of posts) {
        const found = ways.filter((way) => way.every((part, index) => part.includes(post[index] as number)));
        expect(found.length, post.join()).toBe(1);
      }
    },
  );

  it('part the words in most posts from the many others, in no more ways than a statement should have', () => {
    expect(waysThrough([words(1000), words(1000), words(1000)]).length).toBeLessThanOrEqual(9);
    expect(waysThrough([words(40)])).toEqual([[words(8)], [words(32, 8)]]);
  });

  it('are one when no group is worth dividing', () => {
    expect(waysThrough([words(8), words(2)])).toEqual([[words(8), words(2)]]);
  });
});
