import { accept, SnapshotBlog, type SnapshotBlogInput, type SnapshotPost } from '@broadsheet/contract';
import { OperationError } from '@broadsheet/management';

export type Content = SnapshotBlog;
export type Post = SnapshotPost;
export type Campaign = Content['campaigns'][number];
export type Label = Content['categories'][number] | Content['tags'][number];

export const refuse = (message: string): never => {
  throw new OperationError(message);
};
export const stampOf = (now: number): string => new Date(now).toISOString();
export const replace = <T extends { readonly id: string }>(items: readonly T[], changed: readonly T[]): T[] => [
  ...new Map([...items, ...changed].map((item) => [item.id, item])).values(),
];
export const without = <T extends { readonly id: string }>(items: readonly T[], ids: ReadonlySet<string>): T[] =>
  items.filter(({ id }) => !ids.has(id));
export const hasIn = (items: readonly { readonly id: string }[], id: string) => items.some((item) => item.id === id);

export function readBlog(input: SnapshotBlogInput): Content {
  const read = accept(SnapshotBlog, input);
  return read.ok ? read.value : refuse(JSON.stringify(read.fields));
}

/** @throws when a post of a part names a label that the blog does not have yet */
export function requireLabels({ posts }: Content, { categories, tags }: Content): void {
  for (const { categoryIds, tagIds } of posts) {
    for (const id of categoryIds) if (!hasIn(categories, id)) refuse(`there is no category ${id}`);
    for (const id of tagIds) if (!hasIn(tags, id)) refuse(`there is no tag ${id}`);
  }
  const slugs = posts.map(({ slug }) => slug);
  if (new Set(slugs).size < slugs.length) refuse('two posts have the same slug');
}

/** An import writes its ads last, so their campaigns may be in any part. */
export function requireCampaigns({ ads }: Content, { campaigns }: Content): void {
  for (const { campaignId } of ads) {
    if (campaignId !== undefined && !hasIn(campaigns, campaignId)) refuse(`there is no campaign ${campaignId}`);
  }
}

/** A campaign with an even pace that is imported without a start keeps the one that it got earlier. */
export function withKnownStart(campaign: Campaign, before: readonly Campaign[], stamp: string): Campaign {
  const { id, pace, goal, startsAt, endsAt } = campaign;
  if (pace !== 'even' || goal === null || startsAt !== null || endsAt === null || endsAt <= stamp) return campaign;
  return { ...campaign, startsAt: before.find((one) => one.id === id)?.startsAt ?? null };
}

/** The ads and campaigns of a part with the stored values of all fields that the part does not name. */
export function keepUnnamed(part: SnapshotBlogInput, before: Content | undefined): SnapshotBlogInput {
  const { ads, campaigns } = before ?? {};
  return {
    ...part,
    ...(part.ads && { ads: part.ads.map((ad) => ({ ...ads?.find(({ id }) => id === ad.id), ...ad })) }),
    ...(part.campaigns && {
      campaigns: part.campaigns.map((one) => ({ ...campaigns?.find(({ id }) => id === one.id), ...one })),
    }),
  };
}

/** Adds a part of an import to a blog. @param replaced the post that a new one replaces, because its file was renamed */
export function mergePart(
  content: Content,
  part: Content,
  hasDomains: boolean,
  stamp: string,
  replaced: (post: Post) => Post | undefined,
): Content {
  const stamped = <T extends Post | Label>(items: readonly T[], before: (item: T) => T | undefined): T[] =>
    items.map((item) => {
      const old = before(item);
      const same = old !== undefined && textOf(old) === textOf(item);
      const createdAt = item.createdAt ?? old?.createdAt ?? stamp;
      return { ...item, createdAt, updatedAt: item.updatedAt ?? (same ? (old.updatedAt ?? stamp) : stamp) };
    });
  const known =
    <T extends Post | Label>(items: readonly T[]) =>
    (item: T) =>
      items.find(({ id }) => id === item.id);
  const { posts, categories, tags, campaigns, ads } = content;
  return {
    ...content,
    domains: hasDomains ? part.domains : content.domains,
    timeZone: part.timeZone ?? content.timeZone,
    categories: replace(categories, stamped(part.categories, known(categories))),
    tags: replace(tags, stamped(part.tags, known(tags))),
    posts: replace(
      posts,
      stamped(part.posts, (post) => known(posts)(post) ?? replaced(post)),
    ),
    campaigns: replace(campaigns, part.campaigns),
    ads: replace(ads, part.ads),
  };
}

/**
 * The fields whose change updates the time of the last change: all except the id and the times; labels have no order.
 */
function textOf({ id: _, createdAt: __, updatedAt: ___, ...item }: Post | Label): string {
  const entries = Object.entries(item).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]);
  return JSON.stringify(entries.sort());
}
