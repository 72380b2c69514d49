import { AD_FORMATS, ENDPOINTS, type Endpoint, type EndpointId, type SnapshotPost } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { createRandom, hash } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import { type FuzzSeed, type Lens, MUTATIONS, type Mutation, type Point } from './lens.ts';
import { hasField } from './rewrite.ts';

/** The variant of the API without the success envelope (api.md 4.8). */
export const UNWRAPPED = 'unwrapped';

const PAGE = 10;
const STRANGE = ' /?#%25&+ü😀';

interface ContentVariation {
  /** The places where it shows, as text. */
  readonly text: string;
  change(blog: BlogContent): BlogContent;
}

const all = <T>(items: readonly T[] = []): readonly T[] => items;
const idsOf = (items?: readonly { readonly id: string }[]) => all(items).map(({ id }) => id);
const mapPosts = (change: (post: SnapshotPost) => SnapshotPost) => (blog: BlogContent) => ({
  ...blog,
  posts: all(blog.posts as readonly SnapshotPost[]).map(change),
});
const published = (blog: BlogContent) =>
  all(blog.posts).filter(({ status }) => status !== 'DRAFT' && status !== 'SCHEDULED');
const withoutAds = (format: string): ContentVariation => ({
  text: `\`ads.deliver\`: \`filled\` is false for ${format}`,
  change: (blog) => ({ ...blog, ads: all(blog.ads).filter((ad) => ad.format !== format) }),
});
/** Cuts a blog down to its first posts. */
const withPosts = (count: number) => (blog: BlogContent) => ({ ...blog, posts: published(blog).slice(0, count) });
const IDS = { categories: 'categoryIds', tags: 'tagIds' } as const;
/** Cuts the labels of a kind down to the first few, and gives all of them to every post. */
const withLabels = (kind: keyof typeof IDS, count: number) => (blog: BlogContent) => {
  const labels = all<{ readonly id: string }>(blog[kind]).slice(0, count);
  return { ...mapPosts((post) => ({ ...post, [IDS[kind]]: idsOf(labels) }))(blog), [kind]: labels };
};

/** Variations of the blog itself, for what several responses show. */
const CONTENT: Readonly<Record<string, ContentVariation>> = {
  noPosts: { text: '`posts.list`: `data` is empty', change: withPosts(0) },
  onePost: { text: '`posts.list`: `data` has one item', change: withPosts(1) },
  fullPage: {
    text: `\`posts.list\`: the last page is full, with ${PAGE} posts, and no page follows`,
    change: (blog) => {
      const [categoryIds, tagIds] = [idsOf(blog.categories).slice(0, 1), idsOf(blog.tags).slice(0, 1)];
      return mapPosts((post) => ({ ...post, categoryIds, tagIds }))(withPosts(PAGE)(blog));
    },
  },
  noCategories: { text: '`categories.list`: `data` is empty', change: withLabels('categories', 0) },
  oneCategory: { text: '`categories.list`: `data` has one item', change: withLabels('categories', 1) },
  noTags: { text: '`tags.list`: `data` is empty', change: withLabels('tags', 0) },
  oneTag: { text: '`tags.list`: `data` has one item', change: withLabels('tags', 1) },
  unsorted: { text: 'posts: `categories` is empty', change: mapPosts((post) => ({ ...post, categoryIds: [] })) },
  untagged: { text: 'posts: `tags` is empty', change: mapPosts((post) => ({ ...post, tagIds: [] })) },
  undated: { text: 'posts: `publishedAt` is null', change: mapPosts((post) => ({ ...post, publishedAt: null })) },
  strangeIds: {
    text: `\`id\` needs encoding: it ends with ${JSON.stringify(STRANGE)}`,
    change: ({ ads, campaigns, ...blog }) => {
      const strange = (name: string, value: unknown) =>
        name === 'id' ? value + STRANGE : /Ids$/.test(name) ? (value as string[]).map((id) => id + STRANGE) : value;
      return { ...(JSON.parse(JSON.stringify(blog), strange) as BlogContent), ads, campaigns };
    },
  },
  strangeSlugs: {
    text: `posts: \`slug\` needs encoding: it ends with ${JSON.stringify(STRANGE)}`,
    change: mapPosts((post) => ({ ...post, slug: post.slug + STRANGE })),
  },
  noAds: { text: '`ads.deliver`: `filled` is false', change: (blog) => ({ ...blog, ads: [] }) },
  oneAd: {
    text: '`ads.deliverBatch`: `filled` is false for the second slot of a format',
    change: (blog) => ({
      ...blog,
      ads: all(blog.ads).filter(({ format }, index, ads) => ads.findIndex((ad) => ad.format === format) === index),
    }),
  },
  ...Object.fromEntries(AD_FORMATS.map((format) => [`no${format}`, withoutAds(format)])),
};
/** The names of the variations of a blog. */
const CONTENT_VARIATIONS: readonly string[] = Object.keys(CONTENT).map((name) => `content: ${name}`);

/** Named combinations of variations. */
export const PRESETS: Readonly<Record<string, readonly string[]>> = {
  empty: ['content: noPosts', 'content: noCategories', 'content: noTags', 'content: noAds'],
  one: ['content: onePost', 'content: oneCategory', 'content: oneTag', 'content: oneAd'],
  lastPage: ['content: fullPage'],
  noAds: ['content: noAds'],
  longest: ['*: huge'],
};

/** Applies variations to a blog. */
export function varied(blog: BlogContent, variations: ReadonlySet<string>): BlogContent {
  return [...variations].reduce((changed, name) => contentVariation(name)?.change(changed) ?? changed, blog);
}

/** A variation of the blog itself, and thus of every response that shows it. */
export const contentVariation = (variation: string): ContentVariation | undefined =>
  variation.startsWith('content: ') ? CONTENT[variation.slice(9)] : undefined;

/** The name of a variation of one field. */
export const fieldVariation = (endpoint: EndpointId, path: string, mutation: Mutation): string =>
  `${endpoint} ${path}: ${mutation}`;

const VALUES: Readonly<Record<Mutation, string>> = {
  absent: 'is absent',
  null: 'is null',
  filled: 'is filled in',
  rtl: 'is written from right to left',
  astral: 'has letters beyond 16 bits',
  emoji: 'has emoji and combining marks',
  html: 'contains markup and unbalanced brackets',
  huge: 'is very long',
  empty: 'is an empty string',
};

/** A variation as text: endpoint, field and value. */
export function textOf(variation: string): string {
  if (variation === UNWRAPPED) return 'responses have no success envelope';
  const inContent = contentVariation(variation);
  if (inContent) return inContent.text;
  const [, endpoint = '', path = '', mutation = ''] = /^(?:(\S+) )?(.+): (\w+)$/.exec(variation) ?? [];
  const value = VALUES[mutation as Mutation] ?? mutation;
  if (path === '*') return `every text ${value}`;
  const { form } = ENDPOINTS[endpoint as EndpointId] as Endpoint;
  return `\`${endpoint}\`: \`${form === 'bare' ? path : `data.${path}`}\` ${value}`;
}

/** Whether a value names a variation. */
function isVariation(variation: unknown): boolean {
  if (variation === UNWRAPPED || CONTENT_VARIATIONS.includes(String(variation))) return true;
  const [, endpoint, path = '', mutation] = /^(?:(\S+) )?(.+): (\w+)$/.exec(String(variation)) ?? [];
  if (!(MUTATIONS as readonly unknown[]).includes(mutation)) return false;
  if (endpoint === undefined) return path === '*';
  return Object.hasOwn(MESSAGES, endpoint) && hasField(MESSAGES[endpoint as EndpointId].data, path);
}

/** @throws RangeError for an unknown variation */
export function mustBeVariations(method: string, names: readonly string[]): void {
  for (const name of names) {
    if (isVariation(name)) continue;
    throw new RangeError(`${method}: unknown variation ${JSON.stringify(name)}; write it as a FuzzFailure lists it`);
  }
}

const LENS_VARIATIONS: Readonly<Record<Lens, readonly string[]>> = {
  sparse: ['*: absent', '*: null'],
  maximal: ['*: filled'],
  hostile: ['*: rtl', '*: astral', '*: emoji', '*: html', '*: huge'],
  unwrapped: [UNWRAPPED],
};

/** The point that a lens stands for. */
export function pointOfLens(lens: Lens | Point): Point {
  return typeof lens === 'string' ? { variations: new Set(LENS_VARIATIONS[lens]) } : lens;
}

/** The point that a seed stands for. @throws RangeError for an unknown variation */
export function pointOf(seed: FuzzSeed): Point {
  const listed = typeof seed === 'object' ? seed : Object.hasOwn(PRESETS, seed) ? PRESETS[seed] : undefined;
  mustBeVariations('mock.fuzz', listed ?? []);
  if (listed) return { variations: new Set(listed) };
  const { below, oneIn } = createRandom(`fuzz ${seed}`);
  return {
    // Only a few at a time: an empty blog hides everything else.
    variations: new Set([...CONTENT_VARIATIONS.filter(() => oneIn(8)), ...(oneIn(8) ? [UNWRAPPED] : [])]),
    drawn: { mutations: MUTATIONS.filter(() => oneIn(2)), seed: below(1e6), oneIn: 1 + below(4) },
  };
}

/** Whether a point has a variation. The result depends only on the variation, so it is the same for every call. */
export function chooses({ variations, drawn, without = [] }: Point, variation: string): boolean {
  const mutation = variation.slice(variation.lastIndexOf(' ') + 1) as Mutation;
  if (without.includes(inAnyItem(variation)) || without.includes(`*: ${mutation}`)) return false;
  if (variations.has(variation) || variations.has(`*: ${mutation}`)) return true;
  // The low bits of the hash repeat.
  return drawn?.mutations.includes(mutation) === true && (hash(`${drawn.seed} ${variation}`) >>> 8) % drawn.oneIn === 0;
}

/** A variation of any item of a list, regardless of its index. */
export const inAnyItem = (variation: string): string => variation.replaceAll(/\b\d+\./g, '*.');
