import type { SnapshotBlog } from '@broadsheet/contract';
import type { Awaitable } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import { inLabelOrder, selectLabels } from '../posts/labels.ts';
import { readPostsInOrder } from '../posts/post-lists.ts';
import { readAnyPost, snapshotOf } from '../posts/post-writes.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { readAds } from './ads.ts';
import { readHead } from './blogs.ts';
import { readCampaigns } from './campaigns.ts';

/** A blog with one post, one ad or one campaign. It has no settings, so that importing it changes nothing else. */
export type BlogPart = Omit<SnapshotBlog, 'domains' | 'timeZone'>;

/** The whole blog without its keys, in an order that does not depend on how it was written. */
export async function readBlog(db: Kysely<Tables>, blogId: string): Promise<SnapshotBlog | undefined> {
  const parts: SnapshotBlog[] = [];
  await readBlogInParts(db, blogId, (part) => void parts.push(part));
  const [blog] = parts;
  return blog && { ...blog, posts: parts.flatMap(({ posts }) => posts) };
}

/** The number of posts that are read at a time. */
const POSTS = 200;

/** The same for a blog of any size: passes the blog without posts first, then repeatedly with some of its posts. */
export async function readBlogInParts(
  db: Kysely<Tables>,
  blogId: string,
  take: (part: SnapshotBlog) => Awaitable<void>,
): Promise<void> {
  const head = await readHead(db, blogId);
  const part = await readPart(db, blogId, {
    posts: [],
    campaigns: await readCampaigns(db, blogId),
    ads: await readAds(db, blogId),
  });
  if (!head || !part) return;
  const blog = { ...head, ...part, domains: [...head.domains] };
  await take(blog);
  for await (const rows of readPostsInOrder(db, blogId, 'desc', POSTS)) {
    await take({ ...blog, posts: rows.map(({ json, cover_url }) => snapshotOf(JSON.parse(json), cover_url)) });
  }
}

/** The blog with only one post, and its labels. */
export async function readPostPart(db: Kysely<Tables>, blogId: string, postId: string): Promise<BlogPart | undefined> {
  const post = await readAnyPost(db, blogId, postId);
  if (!post) return undefined;
  const ids = { category: post.categoryIds, tag: post.tagIds };
  const hasLabel = (kind: LabelKind, id: string) => ids[kind].includes(id);
  return readPart(db, blogId, { posts: [post], campaigns: [], ads: [] }, hasLabel);
}

/** The blog with only one ad, and its campaign if it has one. */
export async function readAdPart(db: Kysely<Tables>, blogId: string, adId: string): Promise<BlogPart | undefined> {
  const ads = (await readAds(db, blogId)).filter(({ id }) => id === adId);
  const campaigns = (await readCampaigns(db, blogId)).filter(({ id }) => id === ads[0]?.campaignId);
  return ads.length > 0 ? readPart(db, blogId, { posts: [], campaigns, ads }, () => false) : undefined;
}

/** The blog with only one campaign, and its ads. */
export async function readCampaignPart(db: Kysely<Tables>, blogId: string, id: string): Promise<BlogPart | undefined> {
  const campaigns = (await readCampaigns(db, blogId)).filter((campaign) => campaign.id === id);
  const ads = (await readAds(db, blogId)).filter(({ campaignId }) => campaignId === id);
  return campaigns.length > 0 ? readPart(db, blogId, { posts: [], campaigns, ads }, () => false) : undefined;
}

async function readPart(
  db: Kysely<Tables>,
  blogId: string,
  { posts, campaigns, ads }: Pick<SnapshotBlog, 'posts' | 'campaigns' | 'ads'>,
  hasLabel: (kind: LabelKind, id: string) => boolean = () => true,
): Promise<BlogPart | undefined> {
  const head = await readHead(db, blogId);
  if (!head) return undefined;
  const labels = async (kind: LabelKind) => {
    const rows = await selectLabels(db, blogId, kind).execute();
    const own = rows.filter(({ id }) => hasLabel(kind, id)).sort(inLabelOrder);
    return own.map(({ id, name, description, created_at: createdAt, updated_at: updatedAt }) => {
      return { id, name, description, createdAt, updatedAt };
    });
  };
  return {
    id: head.id,
    name: head.name,
    apiKeys: [],
    categories: await labels('category'),
    tags: (await labels('tag')).map(({ description: _, ...tag }) => tag),
    posts,
    campaigns,
    ads,
  };
}
