import { AD_FORMATS, ENDPOINTS, type Endpoint, type EndpointId, type SnapshotPost } from '@broadsheet/contract';
import { createRandom, hash } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import { type FuzzSeed, type Lens, type LensName, MUTATIONS, type Mutation, type Point } from './lens.ts';

/** What makes a response odd, as a `FuzzFailure` lists it: `ads.deliver imageUrl: null`, `content: noPosts`. */
export type Oddity = string;

/** The variant of the API without the success envelope (api.md 4.8). */
export const UNWRAPPED: Oddity = 'unwrapped';

const PAGE = 10;
const STRANGE = ' /?#%25&+ü😀';

interface ContentOddity {
  /** Where it shows, as text. */
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
/** Cuts a blog down to its first posts. */
const withPosts = (count: number) => (blog: BlogContent) => ({ ...blog, posts: published(blog).slice(0, count) });
const IDS = { categories: 'categoryIds', tags: 'tagIds' } as const;
/** Cuts the labels of a kind down to the first few, and gives all of them to every post. */
const withLabels = (kind: keyof typeof IDS, count: number) => (blog: BlogContent) => {
  const labels = all<{ readonly id: string }>(blog[kind]).slice(0, count);
  const ids = labels.map(({ id }) => id);
  return { ...mapPosts((post) => ({ ...post, [IDS[kind]]: ids }))(blog), [kind]: labels };
};

/** Odd blogs, each in one way: where several responses depend on the same content, the content itself must be odd. */
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
  noCategories: { words: '`categories.list`: `data` is empty', change: withLabels('categories', 0) },
  oneCategory: { words: '`categories.list`: `data` has one item', change: withLabels('categories', 1) },
  noTags: { words: '`tags.list`: `data` is empty', change: withLabels('tags', 0) },
  oneTag: { words: '`tags.list`: `data` has one item', change: withLabels('tags', 1) },
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
/** The names of the oddities of a blog. */
const CONTENT_ODDITIES: readonly Oddity[] = Object.keys(CONTENT).map((name) => `content: ${name}`);

/** Named combinations of oddities. */
export const PRESETS: Readonly<Record<string, readonly Oddity[]>> = {
  empty: ['content: noPosts', 'content: noCategories', 'content: noTags', 'content: noAds'],
  one: ['content: onePost', 'content: oneCategory', 'content: oneTag', 'content: oneAd'],
  lastPage: ['content: fullPage'],
  noAds: ['content: noAds'],
  longest: ['*: huge'],
};

/** Applies oddities to a blog. */
export function oddBlog(blog: BlogContent, oddities: ReadonlySet<Oddity>): BlogContent {
  return [...oddities].reduce((changed, name) => contentOddity(name)?.change(changed) ?? changed, blog);
}

/** An oddity of the blog itself, and thus of every response that shows it. */
export const contentOddity = (oddity: Oddity): ContentOddity | undefined =>
  oddity.startsWith('content: ') ? CONTENT[oddity.slice(9)] : undefined;

/** The name of an oddity of one field. */
export const fieldOddity = (endpoint: EndpointId, path: string, mutation: Mutation): Oddity =>
  `${endpoint} ${path}: ${mutation}`;

const VALUES: Readonly<Record<Mutation, string>> = {
  absent: 'is absent',
  null: 'is null',
  filled: 'is filled in',
  rtl: 'is written from right to left',
  astral: 'has emoji, combining marks and letters beyond 16 bits',
  html: 'contains markup',
  huge: 'is very long',
  empty: 'is an empty string',
};

/** An oddity as text: endpoint, field and value. */
export function inWords(oddity: Oddity): string {
  if (oddity === UNWRAPPED) return 'responses have no success envelope';
  const inContent = contentOddity(oddity);
  if (inContent) return inContent.words;
  const [, endpoint = '', path = '', mutation = ''] = /^(?:(\S+) )?(.+): (\w+)$/.exec(oddity) ?? [];
  const value = VALUES[mutation as Mutation] ?? mutation;
  if (path === '*') return `every text ${value}`;
  const { form } = ENDPOINTS[endpoint as EndpointId] as Endpoint;
  return `\`${endpoint}\`: \`${form === 'bare' ? path : `data.${path}`}\` ${value}`;
}

/** Whether a value names an oddity. */
const isOddity = (oddity: unknown): boolean =>
  oddity === UNWRAPPED ||
  CONTENT_ODDITIES.includes(String(oddity)) ||
  (/^(\S+ .+|\*): (\w+)$/.test(String(oddity)) &&
    MUTATIONS.some((mutation) => String(oddity).endsWith(`: ${mutation}`)));

const LENS_ODDITIES: Readonly<Record<LensName, readonly Oddity[]>> = {
  sparse: ['*: absent', '*: null'],
  maximal: ['*: filled'],
  hostile: ['*: rtl', '*: astral', '*: html', '*: huge'],
  unwrapped: [UNWRAPPED],
};

/** The point that a lens stands for. */
export function pointOfLens(lens: Lens | Point): Point {
  if (typeof lens === 'string') return { oddities: new Set(LENS_ODDITIES[lens]) };
  return 'fuzz' in lens ? pointOf(lens.fuzz) : lens;
}

/** The point that a seed stands for. @throws RangeError for an unknown oddity */
export function pointOf(seed: FuzzSeed): Point {
  const listed = typeof seed === 'object' ? seed : PRESETS[seed];
  const unknown = listed?.find((oddity) => !isOddity(oddity));
  if (unknown !== undefined) {
    throw new RangeError(`mock.fuzz: unknown oddity ${JSON.stringify(unknown)}; write it as a FuzzFailure lists it`);
  }
  if (listed) return { oddities: new Set(listed) };
  const { below, oneIn } = createRandom(`fuzz ${seed}`);
  return {
    // Only a few at a time: an empty blog hides everything else.
    oddities: new Set([...CONTENT_ODDITIES.filter(() => oneIn(8)), ...(oneIn(8) ? [UNWRAPPED] : [])]),
    drawn: { mutations: MUTATIONS.filter(() => oneIn(2)), seed: below(1e6), oneIn: 1 + below(4) },
  };
}

/** Whether a point has an oddity. The result depends only on the oddity, so it is the same for every call. */
export function chooses({ oddities, drawn }: Point, oddity: Oddity): boolean {
  const mutation = oddity.slice(oddity.lastIndexOf(' ') + 1) as Mutation;
  if (oddities.has(oddity) || oddities.has(`*: ${mutation}`)) return true;
  // The low bits of the hash repeat.
  return drawn?.mutations.includes(mutation) === true && (hash(`${drawn.seed} ${oddity}`) >>> 8) % drawn.oneIn === 0;
}
