import { AD_FORMATS, ENDPOINTS, type Endpoint, type EndpointId, type SnapshotPost } from '@broadsheet/contract';
import { createRandom } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import { type ChosenOddities, type FuzzSeed, type Mixture, MUTATIONS, type Mutation } from './lens.ts';

/** What makes an answer odd, as a `FuzzFailure` writes it: `ads.deliver imageUrl: null`, `content: noPosts`. */
export type Oddity = string;

/** The variant of the API without the success envelope (api.md 4.8). */
export const UNWRAPPED: Oddity = 'unwrapped';

const PAGE = 10;
const STRANGE = ' /?#%25&+ü😀';

interface ContentOddity {
  /** Where it is seen, in words. */
  readonly words: string;
  change(blog: BlogContent): BlogContent;
}

const all = <T>(items: readonly T[] = []): readonly T[] => items;
const mapPosts = (change: (post: SnapshotPost) => SnapshotPost) => (blog: BlogContent) => ({
  ...blog,
  posts: all(blog.posts as readonly SnapshotPost[]).map(change),
});
const published = (blog: BlogContent) =>
  all(blog.posts).filter(({ status }) => status !== 'DRAFT' && status !== 'SCHEDULED');
const withoutAds = (format: string): ContentOddity => ({
  words: `\`ads.deliver\`: \`filled\` is false for ${format}`,
  change: (blog) => ({ ...blog, ads: all(blog.ads).filter((ad) => ad.format !== format) }),
});
/** Cuts a blog down to so many posts, and takes its empty or crowded labels along. */
const withPosts = (count: number) => (blog: BlogContent) => ({ ...blog, posts: published(blog).slice(0, count) });

/** Blogs as they may be, one way each: what an answer is made from must be odd where other answers depend on it. */
const CONTENT: Readonly<Record<string, ContentOddity>> = {
  noPosts: { words: '`posts.list`: `data` is empty', change: withPosts(0) },
  onePost: { words: '`posts.list`: `data` has one item', change: withPosts(1) },
  fullPage: {
    words: `\`posts.list\`: the last page is full, with ${PAGE} posts, and no page follows`,
    change: (blog) => {
      const [category, tag] = [all(blog.categories)[0], all(blog.tags)[0]];
      const labels = { categoryIds: category?.id ? [category.id] : [], tagIds: tag?.id ? [tag.id] : [] };
      return {
        ...blog,
        posts: published(blog)
          .slice(0, PAGE)
          .map((post) => ({ ...post, ...labels })),
      };
    },
  },
  noCategories: {
    words: '`categories.list`: `data` is empty',
    change: (blog) => mapPosts((post) => ({ ...post, categoryIds: [] }))({ ...blog, categories: [] }),
  },
  oneCategory: {
    words: '`categories.list`: `data` has one item',
    change: (blog) => {
      const categories = all(blog.categories).slice(0, 1);
      return mapPosts((post) => ({ ...post, categoryIds: categories.map(({ id }) => id) }))({ ...blog, categories });
    },
  },
  noTags: {
    words: '`tags.list`: `data` is empty',
    change: (blog) => mapPosts((post) => ({ ...post, tagIds: [] }))({ ...blog, tags: [] }),
  },
  oneTag: {
    words: '`tags.list`: `data` has one item',
    change: (blog) => {
      const tags = all(blog.tags).slice(0, 1);
      return mapPosts((post) => ({ ...post, tagIds: tags.map(({ id }) => id) }))({ ...blog, tags });
    },
  },
  unsorted: { words: 'posts: `categories` is empty', change: mapPosts((post) => ({ ...post, categoryIds: [] })) },
  untagged: { words: 'posts: `tags` is empty', change: mapPosts((post) => ({ ...post, tagIds: [] })) },
  undated: { words: 'posts: `publishedAt` is null', change: mapPosts((post) => ({ ...post, publishedAt: null })) },
  strangeIds: {
    words: `\`id\` needs encoding: it ends with ${JSON.stringify(STRANGE)}`,
    change: (blog) => ({
      ...mapPosts((post) => ({
        ...post,
        id: post.id + STRANGE,
        categoryIds: post.categoryIds.map((id) => id + STRANGE),
        tagIds: post.tagIds.map((id) => id + STRANGE),
      }))(blog),
      categories: all(blog.categories).map((label) => ({ ...label, id: label.id + STRANGE })),
      tags: all(blog.tags).map((label) => ({ ...label, id: label.id + STRANGE })),
    }),
  },
  strangeSlugs: {
    words: `posts: \`slug\` needs encoding: it ends with ${JSON.stringify(STRANGE)}`,
    change: mapPosts((post) => ({ ...post, slug: post.slug + STRANGE })),
  },
  noAds: { words: '`ads.deliver`: `filled` is false', change: (blog) => ({ ...blog, ads: [] }) },
  oneAd: {
    words: '`ads.deliverBatch`: `filled` is false for the second slot of a format',
    change: (blog) => ({
      ...blog,
      ads: all(blog.ads).filter(({ format }, index, ads) => ads.findIndex((ad) => ad.format === format) === index),
    }),
  },
  ...Object.fromEntries(AD_FORMATS.map((format) => [`no${format}`, withoutAds(format)])),
};
/** The names of the ways a blog may be odd. */
const CONTENT_ODDITIES: readonly Oddity[] = Object.keys(CONTENT).map((name) => `content: ${name}`);

/** Oddities by the name of what they show together. */
export const PRESETS: Readonly<Record<string, readonly Oddity[]>> = {
  empty: ['content: noPosts', 'content: noCategories', 'content: noTags', 'content: noAds'],
  one: ['content: onePost', 'content: oneCategory', 'content: oneTag', 'content: oneAd'],
  lastPage: ['content: fullPage'],
  noAds: ['content: noAds'],
  longest: ['*: huge'],
};

/** The blog with its oddities. */
export function oddBlog(blog: BlogContent, oddities: readonly Oddity[]): BlogContent {
  const names = oddities.flatMap((oddity) => (oddity.startsWith('content: ') ? [oddity.slice(9)] : []));
  return names.reduce((changed, name) => CONTENT[name]?.change(changed) ?? changed, blog);
}

/** The name of an oddity of one field. */
export const fieldOddity = (endpoint: EndpointId, path: string, mutation: Mutation): Oddity =>
  `${endpoint} ${path}: ${mutation}`;

const VALUES: Readonly<Record<Mutation, string>> = {
  absent: 'is absent',
  null: 'is null',
  filled: 'is filled in',
  rtl: 'is written from right to left',
  astral: 'has emoji, combining marks and letters beyond 16 bits',
  html: 'has markup in it',
  huge: 'is as long as it may get',
  empty: 'is an empty text',
};

/** An oddity in words: endpoint, field and value. */
export function inWords(oddity: Oddity): string {
  if (oddity === UNWRAPPED) return 'answers have no success envelope';
  if (oddity.startsWith('content: ')) return CONTENT[oddity.slice(9)]?.words ?? oddity;
  const [, endpoint = '', path = '', mutation = ''] = /^(?:(\S+) )?(.+): (\w+)$/.exec(oddity) ?? [];
  const value = VALUES[mutation as Mutation] ?? mutation;
  if (path === '*') return `every text ${value}`;
  const { form } = ENDPOINTS[endpoint as EndpointId] as Endpoint;
  return `\`${endpoint}\`: \`${form === 'bare' ? path : `data.${path}`}\` ${value}`;
}

/** Whether every text of an oddity there is. */
const isOddity = (oddity: unknown): boolean =>
  oddity === UNWRAPPED ||
  CONTENT_ODDITIES.includes(String(oddity)) ||
  (/^(\S+ .+|\*): (\w+)$/.test(String(oddity)) &&
    MUTATIONS.some((mutation) => String(oddity).endsWith(`: ${mutation}`)));

/** A point of the space of legal answers: oddities that are there, and fields that are odd by chance. */
export interface Point {
  readonly oddities: readonly Oddity[];
  readonly mixture?: Mixture;
}

/** The point that a seed stands for. @throws RangeError for an oddity that there is not */
export function pointOf(seed: FuzzSeed): Point {
  if (typeof seed === 'object') {
    const unknown = seed.find((oddity) => !isOddity(oddity));
    if (unknown === undefined) return { oddities: seed };
    throw new RangeError(`mock.fuzz: there is no oddity ${JSON.stringify(unknown)}; write them as a FuzzFailure does`);
  }
  const preset = PRESETS[seed];
  if (preset) return { oddities: preset };
  const chance = createRandom(`fuzz ${seed}`);
  const oneOf = (bound: number) => chance.below(bound) === 0;
  return {
    // Few at once: an empty blog hides everything else.
    oddities: [...CONTENT_ODDITIES.filter(() => oneOf(8)), ...(oneOf(8) ? [UNWRAPPED] : [])],
    mixture: {
      mutations: MUTATIONS.filter(() => oneOf(2)),
      unwrapped: false,
      seed: chance.below(1e6),
      oneIn: 1 + chance.below(4),
    },
  };
}

/** Chooses what a list names. */
export function chosen(oddities: readonly Oddity[]): ChosenOddities {
  const names = new Set(oddities);
  return { chooses: (oddity) => names.has(oddity) || names.has(`*: ${oddity.slice(oddity.lastIndexOf(' ') + 1)}`) };
}
