/** A group of words, those in most posts first. */
type Words = readonly number[];

/** Where a group is divided. */
const DIVISIONS = [0, 8, 256] as const;

/**
 * Ways to the posts that have a word of each group: such a post has one of each part of a way, for some of the ways.
 * With every step through posts GIN looks at all the words of a group, and a term is in one or two words of most posts
 * and in hundreds of a handful: apart they take a quarter of the time. Two groups are divided, for ways multiply.
 */
export function waysThrough([first = [], second, ...others]: readonly Words[]): Words[][] {
  const ways = divided(first).map((part) => [part]);
  if (!second) return ways;
  return ways.flatMap((way) => divided(second).map((part) => [...way, part, ...others]));
}

const divided = (words: Words): Words[] =>
  DIVISIONS.map((from, index) => words.slice(from, DIVISIONS[index + 1])).filter((part) => part.length > 0);
