import { numbersFrom, wordOfRank } from '../generate-blog.ts';

/** A kind of search that people type, from words in half of all posts to words in none. */
export interface SearchKind {
  readonly name: string;
  /** The query of a round. Every round has a new one, because cached responses would hide the work. */
  typed(round: number): string;
}

/** Ranks of words by frequency: the first few hundred are in about every tenth post, ranks above 40,000 in a few. */
const RANKS = { common: [20, 300], middling: [500, 3_000], rare: [5_000, 30_000], hardly: [40_000, 74_000] } as const;
type Use = keyof typeof RANKS;

const kind = (name: string, uses: readonly Use[], change: (word: string) => string = (word) => word): SearchKind => ({
  name,
  typed(round) {
    const random = numbersFrom(round + 1);
    const pick = (use: Use): string => {
      const [from, to] = RANKS[use];
      const word = wordOfRank(from + Math.floor(random() * (to - from)));
      return word.length < 4 ? pick(use) : word;
    };
    return uses.map((use) => change(pick(use))).join(' ');
  },
});

export const searchKinds: readonly SearchKind[] = [
  kind('a common word', ['common']),
  kind('two common words', ['common', 'common']),
  kind('a middling word', ['middling']),
  kind('two middling words', ['middling', 'middling']),
  kind('a rare word', ['rare']),
  kind('a word hardly used', ['hardly']),
  kind('a common, a middling and a rare word', ['common', 'middling', 'rare']),
  kind('the beginning of a word', ['middling'], (word) => word.slice(0, 4)),
  kind('the middle of a word', ['rare'], (word) => word.slice(1, 5)),
  kind('a word nobody wrote', ['rare'], (word) => `${word}qxz`),
];
