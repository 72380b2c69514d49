import { AD_FORMATS, type SnapshotBlogInput, type SnapshotInput } from '@broadsheet/contract';
import { createRandom } from './random.ts';
import { EPOCH, storedFactories } from './stored-factories.ts';

/** A blog in the format of a snapshot, without id and keys: each world assigns its own. */
export type BlogContent = Omit<SnapshotBlogInput, 'id' | 'apiKeys' | 'publisher'>;

/** The blog of a world: its content, or a whole blog with its id and keys, or a snapshot of one. */
export type WorldContent = BlogContent | SnapshotBlogInput | SnapshotInput;

type Change<T> = T extends readonly (infer Item)[]
  ? readonly (Item extends { readonly id: string } ? Item | (Partial<Item> & { readonly id: string }) : Item)[]
  : T;

/** Content to put into a world: whole items, or some fields of existing items. */
export type ContentChange = { readonly [Field in keyof BlogContent]?: Change<BlogContent[Field]> };

/** The ids of content, by its kind. */
export type ContentIds = {
  readonly [Kind in 'categories' | 'tags' | 'posts' | 'campaigns' | 'ads']?: readonly string[];
};

const CATEGORIES = ['Reportage', 'Essays', 'Science', 'Music', 'Élan'];
const TAGS = ['city', 'craft', 'food', 'history', 'nature', 'night', 'print', 'travel'];

/**
 * A blog with one of everything: 32 posts (including a draft and a scheduled one), an empty category, an unused tag,
 * ads of every format, two of equal priority, one paused and one that has ended.
 *
 * @example
 * ```ts
 * const world = mock.world({ blog: { ...sampleBlog('harbour'), ads: [] } });
 * ```
 */
export function sampleBlog(seed: string): BlogContent {
  const random = createRandom(`blog ${seed}`);
  const make = storedFactories(createRandom(`factories blog ${seed}`));
  const categories = CATEGORIES.map((name) => make.category.build({ name }));
  const tags = TAGS.map((name) => make.tag.build({ name }));
  const used = { categories: categories.slice(0, -1), tags: tags.slice(0, -1) };
  const posts = make.post.list(32, (index) => ({
    categoryIds: [random.pick(used.categories).id],
    tagIds: [...new Set([random.pick(used.tags).id, random.pick(used.tags).id])],
    ...(index === 30 && { status: 'DRAFT', publishedAt: null }),
    ...(index === 31 && { status: 'SCHEDULED', publishedAt: null, scheduledAt: new Date(EPOCH + 1e9).toISOString() }),
  }));
  const ads = [
    ...AD_FORMATS.flatMap((format) => [5, 1].map((priority) => make.ad.build({ format, priority }))),
    make.ad.build({ format: 'BANNER', priority: 5 }),
    make.ad.build({ format: 'BANNER', priority: 9, active: false }),
    make.ad.build({ format: 'SIDEBAR', priority: 9, endsAt: new Date(EPOCH - 1e9).toISOString() }),
  ];
  return { name: 'The Sample Broadsheet', domains: [], categories, tags, posts, ads };
}
