import type { SnapshotBlogInput } from '@broadsheet/contract';

const SYLLABLES = 'ka lo mi ren sta vor el din tas qui bra nel phi zon ul gar met oss tri vel han dor pex lim ju'.split(
  ' ',
);
const DAY = 86_400_000;
const LAST_DAY = Date.parse('2026-01-01T00:00:00.000Z');

/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A word of the made-up language: the lower its rank, the more often it is used. */
export function wordOfRank(rank: number): string {
  const size = SYLLABLES.length;
  const parts = [rank % size, Math.floor(rank / size) % size, Math.floor(rank / size / size) % size];
  return `${parts.map((part) => SYLLABLES[part]).join('')}${Math.floor(rank / size ** 3) || ''}`;
}

/**
 * A blog of any size whose words are as unequal as those of a language (Zipf): the same options give the same blog.
 * Posts are an hour apart, so lists are deep and their order is never in doubt.
 */
export function generateBlog(options: {
  readonly id: string;
  readonly apiKey: string;
  readonly posts: number;
  readonly ads?: number;
  /** Characters of each content. */
  readonly content?: number;
  readonly seed?: number;
}): SnapshotBlogInput {
  const random = numbersFrom(options.seed ?? 1);
  const words = 20_000;
  const word = () => wordOfRank(Math.floor(words ** random()) - 1);
  const text = (length: number) => Array.from({ length }, word).join(' ');
  const labels = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, name: `${word()} ${index}` }));
  const body = `<p>${text(200)}</p>`.repeat(50).slice(0, options.content ?? 500);
  const categories = labels('c', 20);
  const tags = labels('t', 200);
  const formats = ['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE'] as const;
  return {
    id: options.id,
    name: `A blog of ${options.posts} posts`,
    apiKeys: [options.apiKey],
    categories,
    tags,
    posts: Array.from({ length: options.posts }, (_, index) => ({
      id: `post-${String(index).padStart(8, '0')}`,
      title: text(6),
      subtitle: text(8),
      content: body,
      slug: `post-${index}`,
      publishedAt: new Date(LAST_DAY - (options.posts - index) * (DAY / 24)).toISOString(),
      categoryIds: [`c${Math.floor(random() * 20)}`],
      tagIds: [`t${Math.floor(random() * 200)}`],
    })),
    ads: Array.from({ length: options.ads ?? 10 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      format: formats[index % formats.length] ?? 'BANNER',
      priority: index % 7,
      linkUrl: 'https://example.org/',
      title: text(4),
    })),
  };
}
