import {
  AD_FORMATS,
  AD_TEXTS,
  type AdDeliveryResult,
  type AdDeliverySlotResult,
  type Category,
  type Post,
  type PostSummary,
  type SearchResultItem,
  type Tag,
} from '@broadsheet/contract';
import { createRandom } from './random.ts';
import { type Factory, factory, type StoredFactories, stamps, storedAd, storedFactories } from './stored-factories.ts';

export type { Factory, StoredFactories };

type FilledAd = Extract<AdDeliveryResult, { filled: true }>;
type FilledSlot = Extract<AdDeliverySlotResult, { filled: true }>;

/** A factory for every resource, in the form that the API returns and (`stored`) in the form that a blog stores. */
export interface Factories {
  readonly post: Factory<Post>;
  readonly postSummary: Factory<PostSummary>;
  readonly category: Factory<Category>;
  readonly tag: Factory<Tag>;
  readonly searchResult: Factory<SearchResultItem>;
  readonly ad: Factory<FilledAd>;
  readonly slot: Factory<FilledSlot>;
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
    const categories = [{ ...pick(category.build(), 'id', 'name', 'description'), blogId }];
    return { ...fields, ...someTime(), blogId, categories, tags: [{ ...pick(tag.build(), 'id', 'name'), blogId }] };
  });
  const ad = factory((index): FilledAd => {
    const texts = pick(storedAd(random, index), 'id', ...AD_TEXTS);
    return { filled: true, ...texts, clickToken: `token-${random.uuid()}` };
  });
  return {
    stored,
    category,
    tag,
    post,
    ad,
    postSummary: factory(() => pick(post.build(), 'id', 'title', 'slug', 'status', 'publishedAt')),
    searchResult: factory(() =>
      pick(stored.post.build(), 'id', 'title', 'subtitle', 'slug', 'coverUrl', 'publishedAt'),
    ),
    slot: factory((index): FilledSlot => ({ slotId: `slot-${index}`, format: random.pick(AD_FORMATS), ...ad.build() })),
  };
}

function pick<T, K extends keyof T>(item: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, item[name]])) as Pick<T, K>;
}
