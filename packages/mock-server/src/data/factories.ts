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
  type Tag,
} from '@broadsheet/contract';
import { type Factory, factory, stamps } from './factory.ts';
import { createRandom } from './random.ts';
import { type StoredFactories, storedAd, storedFactories } from './stored-factories.ts';

type FilledAd = Extract<AdDeliveryResult, { filled: true }>;
type FilledSlot = Extract<AdDeliverySlotResult, { filled: true }>;

/**
 * A factory for every resource: as the API answers them, and (`stored`) as a blog holds them.
 *
 * @example
 * ```ts
 * const make: Factories = createFactories({ seed: 'cards' });
 * const category = make.category.build();
 * ```
 */
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
  readonly stored: StoredFactories;
}

/**
 * Creates factories that need no mock: the same seed makes the same data.
 *
 * @example
 * ```ts
 * const { post } = createFactories({ seed: 'cards' });
 * render(card({ post: post.build({ title: 'Short' }) }));
 * ```
 */
export function createFactories({ seed = 'broadsheet', blogId = 'blog-sample' } = {}): Factories {
  const random = createRandom(`factories ${seed}`);
  const stored = storedFactories(random);
  const someTime = () => stamps(random.below(30));
  const someCount = () => ({ posts: random.below(20) });
  const category = factory((): Category => {
    return { ...stored.category.build(), ...someTime(), blogId, _count: someCount() };
  });
  const tag = factory((): Tag => ({ ...stored.tag.build(), ...someTime(), blogId, _count: someCount() }));
  const post = factory((): Post => {
    const { coverUrl: _, categoryIds: __, tagIds: ___, ...fields } = stored.post.build();
    const { id, name, description } = category.build();
    const { id: tagId, name: tagName } = tag.build();
    const categories = [{ id, name, description, blogId }];
    return { ...fields, ...someTime(), blogId, categories, tags: [{ id: tagId, name: tagName, blogId }] };
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
