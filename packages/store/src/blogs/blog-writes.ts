import { accept, LIMITS, SnapshotBlog, type SnapshotBlogInput, type SnapshotPost } from '@broadsheet/contract';
import { checkPosts, codeUnitOrder, withStart } from '@broadsheet/core';
import type { Transaction } from '../database.ts';
import { embedAgain, type WrittenLabels, writeLabels } from '../posts/labels.ts';
import { PostWrite, type WrittenPosts } from '../posts/post-writes.ts';
import { sortKey } from '../posts/sort-key.ts';
import { chunks, type Db, insert } from '../sql.ts';
import { type Removals, reportAds } from '../webhooks/outbox.ts';
import { adName, isSameAd, readAds, upsertAds } from './ads.ts';
import { sha256Hex, startOfKey } from './api-key.ts';
import { writeHead } from './blogs.ts';
import { readCampaigns, requireCampaigns, upsertCampaigns } from './campaigns.ts';
import { ContentClash, requireRoom } from './clashes.ts';

const AD_ROWS = 500;

/** How a blog is written. */
interface WriteOptions {
  readonly onPosts?: (written: number) => Promise<void>;
  /** The ids of all posts of the source, if others are removed afterwards; see `pruneBlog`. */
  readonly source?: ReadonlySet<string> | undefined;
  /** Whether an existing blog keeps its name. */
  readonly keepName?: boolean;
  /** Whether this is a further part of a blog: all parts are one change, with one revision. */
  readonly continues?: boolean;
  /** Collects removed posts, if further parts are written; see `PostContext`. */
  readonly removals?: Removals;
}

/**
 * Writes a blog, or part of one, by the rules of `Store.putBlog`, except for its ads and campaigns; `requireOwnSlugs` and
 * `writeAds` are called after the last part.
 *
 * @throws ContentClash, or Error when the blog is inconsistent
 */
export async function writeBlog(
  transaction: Transaction,
  input: SnapshotBlogInput,
  now: number,
  { onPosts, source, keepName = false, continues = false, removals }: WriteOptions = {},
): Promise<{ readonly blog: SnapshotBlog; readonly written: Written }> {
  const { db, database } = transaction;
  const read = accept(SnapshotBlog, input);
  if (!read.ok) throw new Error(`blog ${input.id}: ${read.fields.map(({ message }) => message).join('; ')}`);
  const blog = read.value;
  const stamp = new Date(now).toISOString();
  await writeHead(db, blog, { keepName, keepDomains: input.domains === undefined, keepRevision: continues });
  await writeKeys(db, blog.id, blog.apiKeys, stamp);
  const categories = await writeLabels(db, { blogId: blog.id, kind: 'category', stamp }, blog.categories);
  const tags = await writeLabels(db, { blogId: blog.id, kind: 'tag', stamp }, blog.tags);

  const posts = inOrder(blog.posts);
  checkPosts(posts, categories.byId, tags.byId);
  const write = new PostWrite(transaction, { blogId: blog.id, categories, tags, stamp, source, removals });
  const written: WrittenPosts[] = [];
  for (const some of chunks(posts, database.rowsPerInsert)) {
    written.push(await write.put(some));
    await onPosts?.(some.length);
  }
  await write.finish();
  for (const labels of [categories, tags]) await embedAgain(db, blog.id, labels);
  const ofPosts = {
    added: written.flatMap(({ added }) => added),
    changed: written.flatMap(({ changed }) => changed),
  };
  return { blog, written: { posts: ofPosts, categories: namesOf(categories), tags: namesOf(tags) } };
}

/** The names of what a write added and changed. */
export type Written = Readonly<Record<'posts' | 'categories' | 'tags', WrittenPosts>>;

function namesOf({ byId, added, changed }: WrittenLabels): WrittenPosts {
  const names = (ids: readonly string[]) => ids.map((id) => byId.get(id)?.name ?? id);
  return { added: names(added), changed: names(changed) };
}

/** The names of ads and campaigns that a write added and changed. */
export type WrittenAds = Readonly<Record<'ads' | 'campaigns', WrittenPosts>>;

/**
 * Writes the campaigns and ads that differ from the stored ones. Deliveries wait until the transaction ends, so nothing
 * slow follows.
 *
 * @throws ContentClash
 */
export async function writeAds(
  db: Db,
  blogId: string,
  blog: Pick<SnapshotBlog, 'ads' | 'campaigns'>,
  now: number,
): Promise<WrittenAds> {
  if (blog.ads.length + blog.campaigns.length === 0) return { ads: NONE, campaigns: NONE };
  const stored = new Map((await readCampaigns(db, blogId)).map((campaign) => [campaign.id, campaign]));
  const storedAds = new Map((await readAds(db, blogId)).map((ad) => [ad.id, ad]));
  const campaigns = byId(blog.campaigns)
    .map((campaign) => withStart(campaign, now, stored.get(campaign.id)))
    .filter((campaign) => JSON.stringify(campaign) !== JSON.stringify(stored.get(campaign.id)))
    // Deliveries lock them in this order, too.
    .sort((one, other) => codeUnitOrder(one.id, other.id));
  const ads = byId(blog.ads).filter((ad) => !isSameAd(ad, storedAds.get(ad.id)));
  if (ads.length + campaigns.length > 0) {
    await reportAds(db, blogId, async () => {
      for (const some of chunks(campaigns, AD_ROWS)) await upsertCampaigns(db, blogId, some);
      await requireCampaigns(db, blogId, ads);
      for (const some of chunks(ads, AD_ROWS)) await upsertAds(db, blogId, some);
    });
  }
  return {
    ads: addedAndChanged(ads, storedAds, adName),
    campaigns: addedAndChanged(campaigns, stored, ({ name }) => name),
  };
}

const NONE: WrittenPosts = { added: [], changed: [] };

function addedAndChanged<T extends { readonly id: string }>(
  items: readonly T[],
  stored: ReadonlyMap<string, unknown>,
  nameOf: (item: T) => string,
): WrittenPosts {
  const { added = [], changed = [] } = Object.groupBy(items, ({ id }) => (stored.has(id) ? 'changed' : 'added'));
  return { added: added.map(nameOf), changed: changed.map(nameOf) };
}

/** Adds keys. A revoked key stays revoked; otherwise, importing an old file would make it valid again. */
async function writeKeys(db: Db, blogId: string, apiKeys: readonly string[], stamp: string): Promise<void> {
  for (const apiKey of new Set(apiKeys)) {
    const hash = await sha256Hex(apiKey);
    const [owner] = await db<{ blog_id: string }>`select blog_id from api_keys where key_hash = ${hash}`;
    if (owner && owner.blog_id !== blogId) {
      const message = `one of its API keys already opens the blog ${owner.blog_id}; remove it to get a new key`;
      throw new ContentClash([{ code: 'KEY_IN_USE', blogId, message }]);
    }
    if (owner) continue;
    const row = { key_hash: hash, blog_id: blogId, created_at: stamp, start: startOfKey(apiKey) };
    await insert(db, 'api_keys', [row]);
  }
  if (apiKeys.length > 0) await requireRoom(db, blogId, 'keys', LIMITS.keys);
}

/** The last item with each id, because every store treats duplicates this way. */
const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** In the order of posts, oldest first, because indexes grow most efficiently in that order. */
function inOrder(posts: readonly SnapshotPost[]): SnapshotPost[] {
  return byId(posts)
    .map((post) => ({ post, key: sortKey(post.publishedAt, post.id) }))
    .sort((a, b) => codeUnitOrder(a.key, b.key))
    .map(({ post }) => post);
}
