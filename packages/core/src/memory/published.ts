import type { Category, Post, SearchResultItem, SnapshotPost, Tag } from '@broadsheet/contract';
import { codeUnitOrder, fold } from '../content/fold.ts';

/** A category or tag as it is stored: everything but the count, which depends on the posts. */
export type StoredCategory = Omit<Category, '_count'>;
export type StoredTag = Omit<Tag, '_count'>;
/** A post as it is stored: its categories and tags by id. */
export type StoredPost = SnapshotPost & {
  readonly blogId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The public content of a blog, sorted and joined once per revision. */
export interface Published {
  /** Sorted in the order of posts. */
  readonly posts: readonly Post[];
  readonly byId: ReadonlyMap<string, Post>;
  readonly bySlug: ReadonlyMap<string, Post>;
  readonly searchable: readonly {
    readonly title: string;
    readonly subtitle: string;
    readonly item: SearchResultItem;
  }[];
  /** In the order of categories. */
  readonly categories: readonly Category[];
  readonly postsByCategory: ReadonlyMap<string, readonly Post[]>;
  readonly tags: readonly Tag[];
  readonly postsByTag: ReadonlyMap<string, readonly Post[]>;
}

/** Derives the public content from the stored content. */
export function publish(
  posts: Iterable<StoredPost>,
  categories: Iterable<StoredCategory>,
  tags: Iterable<StoredTag>,
): Published {
  const sortedCategories = sortedLabels(categories);
  const sortedTags = sortedLabels(tags);
  const stored = [...posts].filter(({ status }) => status === 'PUBLISHED').sort(newestFirst);
  const publicPosts = stored.map((post) => toPost(post, sortedCategories, sortedTags));
  const postsByCategory = postsPer(sortedCategories, publicPosts, (post) => post.categories);
  const postsByTag = postsPer(sortedTags, publicPosts, (post) => post.tags);
  return {
    posts: publicPosts,
    byId: new Map(publicPosts.map((post) => [post.id, post])),
    bySlug: new Map(publicPosts.map((post) => [post.slug, post])),
    searchable: stored.map((post) => ({
      title: fold(post.title),
      subtitle: fold(post.subtitle),
      item: toResult(post),
    })),
    categories: sortedCategories.map((category) => ({ ...category, _count: countOf(postsByCategory, category.id) })),
    postsByCategory,
    tags: sortedTags.map((tag) => ({ ...tag, _count: countOf(postsByTag, tag.id) })),
    postsByTag,
  };
}

/** The fields of a public post that its snapshot does not determine. */
type PostContext = Pick<Post, 'blogId' | 'createdAt' | 'updatedAt' | 'categories' | 'tags'>;

/** A post as readers get it: categories and tags are embedded, and only search results have its cover (api.md 2). */
export function publicPost(post: SnapshotPost, context: PostContext): Post {
  const { coverUrl: _, categoryIds: __, tagIds: ___, ...fields } = post;
  return { ...fields, ...context };
}

/** A post of any status as readers would get it; the labels are in their order. */
export function toPost(post: StoredPost, categories: readonly StoredCategory[], tags: readonly StoredTag[]): Post {
  const { blogId, createdAt, updatedAt, categoryIds, tagIds } = post;
  return publicPost(post, {
    blogId,
    createdAt,
    updatedAt,
    categories: categories.filter(({ id }) => categoryIds.includes(id)).map(embed),
    tags: tags.filter(({ id }) => tagIds.includes(id)).map(embed),
  });
}

/** A category or tag as its posts contain it. */
const embed = <L extends StoredTag>({ createdAt: _, updatedAt: __, ...label }: L) => label;

function toResult({ id, title, subtitle, slug, coverUrl, publishedAt }: StoredPost): SearchResultItem {
  return { id, title, subtitle, slug, coverUrl, publishedAt };
}

function postsPer(
  groups: readonly { readonly id: string }[],
  posts: readonly Post[],
  groupsOf: (post: Post) => readonly { readonly id: string }[],
): Map<string, Post[]> {
  const lists = new Map<string, Post[]>(groups.map(({ id }) => [id, []]));
  for (const post of posts) for (const { id } of groupsOf(post)) lists.get(id)?.push(post);
  return lists;
}

const countOf = (lists: ReadonlyMap<string, readonly Post[]>, id: string) => ({ posts: lists.get(id)?.length ?? 0 });

function newestFirst(a: StoredPost, b: StoredPost): number {
  const [left, right] = [timeOf(a.publishedAt), timeOf(b.publishedAt)];
  return right - left || codeUnitOrder(b.id, a.id);
}

/** Posts without a date come after all others: no date is as early as this number. */
const timeOf = (text: string | null): number => (text === null ? Number.MIN_SAFE_INTEGER : Date.parse(text));

/** Categories or tags in their order. */
export const sortedLabels = <L extends StoredTag>(labels: Iterable<L>): L[] =>
  [...labels].sort((a, b) => codeUnitOrder(fold(a.name), fold(b.name)) || codeUnitOrder(a.id, b.id));
