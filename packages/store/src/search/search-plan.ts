import type { Found, Group } from './vocabulary.ts';

/** What the steps of a search cost on a database, all in the same unit (about a microsecond). */
export interface Costs {
  /** Opening the list of posts of one word. */
  readonly word: number;
  /** Passing one post in such a list. */
  readonly posting: number;
  /** Reading the texts of a post that the lists name. */
  readonly candidate: number;
  /** Reading the texts of a post on a walk through all of them. */
  readonly walked: number;
  /** Whether lists are read only as far as there are results missing. */
  readonly streams: boolean;
}

/** How a search goes. */
export interface SearchPlan {
  /** Groups of words whose lists of posts lead to the matches; none when all posts are walked through in order. */
  readonly leads: (readonly number[])[];
  /** About how many matches there are. */
  readonly matches: number;
}

/**
 * Chooses the groups of words whose lists of posts lead to the first `limit` matches; what is not among them is
 * looked for in the texts. None at all: walking through the posts in order gets there sooner.
 */
export function planSearch(found: Found, limit: number, costs: Costs): SearchPlan {
  const total = Math.max(found.posts, 1);
  const share = ({ posts }: Group): number => Math.min(1, posts / total);
  const matches = found.groups.reduce((rest, group) => rest * share(group), total);
  /** The part of all posts that must be passed until there are enough matches. */
  const depth = Math.min(1, limit / Math.max(matches, 1e-9));

  const usable = found.groups
    .flatMap(({ words, posts }) => (words ? [{ words, posts }] : []))
    .sort((a, b) => a.posts - b.posts);
  const leads: (readonly number[])[] = [];
  const reached = costs.streams ? depth : 1;
  let candidates = total * reached;
  let cost = 0;
  for (const group of usable) {
    const left = candidates * share(group);
    // Lists are read side by side: each step looks at all of them.
    const step = costs.posting * (1 + group.words.length / 128);
    const price = group.words.length * costs.word + group.posts * reached * step;
    if (leads.length > 0 && price > (candidates - left) * costs.candidate) continue;
    leads.push(group.words);
    cost += price;
    candidates = left;
  }
  const isWalk = leads.length === 0 || cost + candidates * costs.candidate > total * depth * costs.walked;
  return { leads: isWalk ? [] : leads, matches };
}
