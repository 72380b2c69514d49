import {
  AD_FORMATS,
  type AdDeliveryResult,
  type AdDeliverySlotResult,
  type Category,
  ERRORS,
  type ErrorCode,
  type ErrorEnvelope,
  type Pagination,
  type Post,
  type PostSummary,
  type SearchResultItem,
  type SnapshotAd,
  type SnapshotCategory,
  type SnapshotPost,
  type SnapshotTag,
  type Tag,
} from '@broadsheet/contract';
import { createRandom, type SeededRandom } from './random.ts';
import { article, sentence, slugOf, title } from './words.ts';

/** Makes resources of one kind, each valid by its schema and each different. */
export interface Factory<T> {
  /** One resource, with the fields you care about. */
  build(fields?: Partial<T>): T;
  /** Several of them. */
  list(count: number, fields?: Partial<T> | ((index: number) => Partial<T>)): T[];
}

type FilledAd = Extract<AdDeliveryResult, { filled: true }>;
type FilledSlot = Extract<AdDeliverySlotResult, { filled: true }>;

/** A factory for every resource: as the API answers them, and (`stored`) as a blog holds them. */
export interface Factories {
  readonly post: Factory<Post>;
  readonly postSummary: Factory<PostSummary>;
  readonly category: Factory<Category>;
  readonly tag: Factory<Tag>;
  readonly searchResult: Factory<SearchResultItem>;
  readonly pagination: Factory<Pagination>;
  readonly ad: Factory<FilledAd>;
  readonly slot: Factory<FilledSlot>;
  /** The envelope of a failure. */
  error(code: ErrorCode, message?: string): ErrorEnvelope;
  readonly stored: {
    readonly post: Factory<SnapshotPost>;
    readonly category: Factory<SnapshotCategory>;
    readonly tag: Factory<SnapshotTag>;
    readonly ad: Factory<SnapshotAd>;
  };
}

/** Where made-up time stands: 1 January 2026, noon UTC. Worlds start here too. */
export const EPOCH = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

function factory<T>(make: (index: number) => T): Factory<T> {
  let made = 0;
  const build = (fields?: Partial<T>): T => {
    made += 1;
    return { ...make(made), ...fields };
  };
  return {
    build,
    list: (count, fields) =>
      Array.from({ length: count }, (_, index) => build(typeof fields === 'function' ? fields(index) : fields)),
  };
}

/**
 * Creates factories that need no mock: the same seed makes the same data.
 *
 * @example
 * ```ts
 * const { post } = createFactories({ seed: 'cards' });
 * render(<Card post={post.build({ title: 'Short' })} />);
 * ```
 */
export function createFactories({ seed = 'broadsheet', blogId = 'blog-sample' } = {}): Factories {
  const random = createRandom(`factories ${seed}`);
  const daysAgo = (days: number) => new Date(EPOCH - days * DAY).toISOString();
  const stamps = (index: number) => ({ createdAt: daysAgo(index + 1), updatedAt: daysAgo(index) });
  const stored = {
    category: factory((n): SnapshotCategory => {
      const name = `Category ${n}`;
      return { id: `category-${n}`, name, description: sentence(random), ...stamps(n) };
    }),
    tag: factory((n): SnapshotTag => ({ id: `tag-${n}`, name: `Tag ${n}`, ...stamps(n) })),
    post: factory((n) => storedPost(random, n, { publishedAt: daysAgo(n), ...stamps(n) })),
    ad: factory((n) => storedAd(random, n)),
  };
  const someTime = () => stamps(random.below(30));
  const someCount = () => ({ posts: random.below(20) });
  const category = factory((): Category => {
    return { ...stored.category.build(), ...someTime(), blogId, _count: someCount() };
  });
  const tag = factory((): Tag => ({ ...stored.tag.build(), ...someTime(), blogId, _count: someCount() }));
  const post = factory((): Post => {
    const { coverUrl: _, categoryIds: __, tagIds: ___, ...kept } = stored.post.build();
    const { id, name, description } = category.build();
    const { id: tagId, name: tagName } = tag.build();
    const categories = [{ id, name, description, blogId }];
    return { ...kept, ...someTime(), blogId, categories, tags: [{ id: tagId, name: tagName, blogId }] };
  });
  const ad = factory((index): FilledAd => {
    const { id, imageUrl, linkUrl, title: text, content, linkText } = storedAd(random, index);
    return {
      filled: true,
      id,
      imageUrl,
      linkUrl,
      title: text,
      content,
      linkText,
      clickToken: `token-${random.uuid()}`,
    };
  });
  return {
    stored,
    category,
    tag,
    post,
    ad,
    postSummary: factory((): PostSummary => {
      const { id, title: text, slug, status, publishedAt } = post.build();
      return { id, title: text, slug, status, publishedAt };
    }),
    searchResult: factory((): SearchResultItem => {
      const { id, title: text, subtitle, slug, coverUrl, publishedAt } = stored.post.build();
      return { id, title: text, subtitle, slug, coverUrl, publishedAt };
    }),
    pagination: factory(() => ({
      page: 1,
      pageSize: 10,
      total: 25,
      totalPages: 3,
      hasNextPage: true,
      hasPrevPage: false,
    })),
    slot: factory((index): FilledSlot => ({ slotId: `slot-${index}`, format: random.pick(AD_FORMATS), ...ad.build() })),
    error(code, message = ERRORS[code].summary) {
      const { status: statusCode, type, retryable } = ERRORS[code];
      const requestId = `req_${random.uuid()}`;
      const docs = `https://docs.broadsheet.example/errors/${code}`;
      return { success: false, error: { message, code, type, statusCode, retryable, requestId, docs } };
    },
  };
}

function storedPost(
  random: SeededRandom,
  n: number,
  times: Pick<SnapshotPost, 'publishedAt' | 'createdAt' | 'updatedAt'>,
): SnapshotPost {
  const headline = title(random);
  return {
    id: `post-${n}`,
    title: headline,
    subtitle: sentence(random),
    content: article(random),
    slug: `${slugOf(headline)}-${n}`,
    status: 'PUBLISHED',
    scheduledAt: null,
    authorId: `author-${1 + random.below(3)}`,
    coverUrl: random.oneIn(3) ? null : `https://images.broadsheet.example/cover-${n}.jpg`,
    categoryIds: [],
    tagIds: [],
    ...times,
  };
}

function storedAd(random: SeededRandom, n: number): SnapshotAd {
  return {
    id: random.uuid(),
    format: random.pick(AD_FORMATS),
    priority: random.below(10),
    active: true,
    startsAt: null,
    endsAt: null,
    imageUrl: `https://images.broadsheet.example/ad-${n}.png`,
    linkUrl: `https://advertiser.example/offer-${n}`,
    title: title(random),
    content: sentence(random),
    linkText: random.pick(['Read more', 'Try it', 'See the offer']),
  };
}
