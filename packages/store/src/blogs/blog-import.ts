import type { SnapshotAd, SnapshotBlogInput, SnapshotCampaign } from '@broadsheet/contract';
import type { Awaitable } from '@broadsheet/core';
import { type LogEntry, writeLog } from '../access/log.ts';
import { keepResult } from '../access/receipts.ts';
import type { ImportTransact, ImportWork, Transaction } from '../database.ts';
import { type BlogPlan, type BlogSource, type PostTotals, planImport } from '../imports/plan.ts';
import type { Db } from '../sql.ts';
import { type UploadKey, useUpload } from '../upload-rows.ts';
import { Removals } from '../webhooks/outbox.ts';
import { readAds } from './ads.ts';
import { newApiKey } from './api-key.ts';
import { type Written, type WrittenAds, writeAds, writeBlog } from './blog-writes.ts';
import { readHead } from './blogs.ts';
import { readCampaigns } from './campaigns.ts';
import { requireOwnSlugs } from './clashes.ts';
import { readKeys, writeKey } from './keys.ts';
import { type Pruned, pruneBlog, type Source } from './prune.ts';

/** The options of an import. */
export interface ImportOptions {
  /** Removes posts, categories and tags that the source does not have; ads and keys stay. */
  readonly prune?: boolean;
  /** Keeps the names of existing blogs, because the source does not name its blogs. */
  readonly keepNames?: boolean;
  /** Lets published posts get other slugs; otherwise, such an import is refused. */
  readonly allowMovedUrls?: boolean;
  /** Rolls everything back; the result shows what the import would change. */
  readonly dryRun?: boolean;
  /** The entries that the log gets in the same transaction. If it throws, the import is rolled back. */
  readonly entries?: ((imported: readonly ImportedBlog[]) => Awaitable<readonly LogEntry[]>) | undefined;
  /** The number of the request, for which the result is kept in the same transaction; see `createReceipts`. */
  readonly request?: string | undefined;
  /** The upload that is imported: it is used in the same transaction, and cannot be imported again. */
  readonly upload?: UploadKey | undefined;
  /** Receives the number of posts written so far; the import waits until it resolves. */
  readonly onProgress?: ((written: number) => unknown) | undefined;
  /** Ends the import, which then writes nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** The changes of an import besides posts and labels; `blog` is a new blog. */
export type ImportChange = 'blog' | 'name' | 'domains' | 'time zone' | 'publisher' | 'keys' | 'ads' | 'campaigns';

/** The changes of an import to one kind of content: titles of posts, names of labels. */
export interface NamedChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Empty without `prune`. */
  readonly removed: readonly string[];
}

/** The result of an import for one blog, with all of its parts. */
export interface ImportedBlog {
  readonly id: string;
  /** Posts in the source; {@link newPosts} counts the posts that the blog did not have. */
  readonly posts: number;
  readonly newPosts: number;
  readonly categories: number;
  readonly tags: number;
  readonly ads: number;
  readonly campaigns: number;
  /** What the posts of the source became. */
  readonly totals: PostTotals;
  /** What was corrected. */
  readonly notes: readonly string[];
  /** The other changes of the import. */
  readonly changed: readonly ImportChange[];
  /** All zero without `prune`. */
  readonly pruned: Readonly<Record<keyof Written, number>>;
  /** With `prune`, a post that keeps its slug but has a new id is changed. Ads and campaigns are never removed. */
  readonly changes: Readonly<Record<keyof Written | keyof WrittenAds, NamedChanges>>;
  /** The key that was created for a new blog without keys, and is returned only once; otherwise `undefined`. */
  readonly newKey: string | undefined;
}

/** The number of posts after which a database first updates its statistics; the interval grows by a factor of four. */
const FIRST_SURVEY = 1000;

/** Writes blogs in one transaction; see `SqlStore.importBlogs`. */
export async function importBlogs(
  { transact, database }: Pick<Transaction, 'database'> & { readonly transact: ImportTransact },
  blogs: BlogSource,
  now: number,
  { dryRun = false, entries, request, upload, ...options }: ImportOptions,
): Promise<readonly ImportedBlog[]> {
  if (isRead(blogs)) throw new TypeError('An import reads its blogs more than once: pass an array, not a generator.');
  const undo = new Error('A dry run leaves nothing behind.');
  let imported: readonly ImportedBlog[] = [];
  const work: ImportWork<readonly ImportedBlog[]> = async (db, load) => {
    imported = await writeAll({ db, database, load }, blogs, now, options);
    for (const entry of (await entries?.(imported)) ?? []) await writeLog(db, entry);
    if (dryRun) throw undo;
    if (upload) await useUpload(db, upload, now);
    if (request !== undefined) await keepResult(db, request, imported, now);
    return imported;
  };
  await transact(work).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  // A key of a dry run opens nothing.
  return dryRun ? imported.map((blog) => ({ ...blog, newKey: undefined })) : imported;
}

/** Checks whether the blogs can be read only once. */
const isRead = (blogs: BlogSource): boolean =>
  Object.is(Symbol.iterator in blogs ? blogs[Symbol.iterator]() : blogs[Symbol.asyncIterator](), blogs);

async function writeAll(
  transaction: Transaction & { readonly load: (blogId: string) => Promise<void> },
  blogs: BlogSource,
  now: number,
  {
    prune = false,
    keepNames = false,
    allowMovedUrls = false,
    onProgress,
    signal,
  }: Pick<ImportOptions, 'prune' | 'keepNames' | 'allowMovedUrls' | 'onProgress' | 'signal'>,
): Promise<ImportedBlog[]> {
  const { db, database, load } = transaction;
  let written = 0;
  let survey = FIRST_SURVEY;
  const onPosts = async (posts: number) => {
    written += posts;
    await onProgress?.(written);
    signal?.throwIfAborted();
    if (written < survey) return;
    survey *= 4;
    await database.duringBulk?.(db);
  };
  const sources = new Map<string, ImportSource>();
  const plans = await planImport(db, blogs, { now, prune, allowMovedUrls, signal, load });
  for await (const part of blogs) {
    signal?.throwIfAborted();
    const plan = plans.get(part.id);
    if (!plan) throw new Error(`The blog ${part.id} was not in the source when it was read first.`);
    const input = await onStored(db, plan.settle(part));
    const isFirst = !sources.has(input.id);
    const source = sources.get(input.id) ?? newSource(plan, await readSettings(db, input.id));
    sources.set(input.id, source);
    const { blog, written: names } = await writeBlog(transaction, input, now, {
      onPosts,
      source: prune ? plan.ids : undefined,
      keepName: keepNames,
      continues: !isFirst,
      removals: source.removals,
    });
    for (const { id, slug, title } of blog.posts)
      source.posts.push({ id, slug, title, file: plan.files.get(id)?.path });
    for (const { id } of blog.categories) source.category.add(id);
    for (const { id } of blog.tags) source.tag.add(id);
    source.ads.push(...blog.ads);
    source.campaigns.push(...blog.campaigns);
    source.written.push(names);
  }
  const finished: ({ readonly blogId: string } & Omit<Finished, 'ofAds'>)[] = [];
  for (const [blogId, source] of sources) {
    const removed = prune ? await pruneBlog(transaction, blogId, source, now) : NOTHING;
    // Parts may swap slugs, so all parts are written first.
    await requireOwnSlugs(transaction, blogId, source.posts);
    await source.removals.report(db, blogId);
    source.changed.push(...changesBetween(source.before, await readSettings(db, blogId)));
    // Exports have no keys, so an existing blog would get a key from the import of its own export.
    const newKey = source.changed.includes('blog') ? await missingKey(db, blogId, now) : undefined;
    finished.push({ blogId, source, removed, newKey });
  }
  const imported: ImportedBlog[] = [];
  for (const { blogId, ...rest } of finished) {
    imported.push(resultOf(blogId, { ...rest, ofAds: await writeAds(db, blogId, rest.source, now) }));
  }
  return imported;
}

/** A part of a source whose ads and campaigns keep what is stored, such as a pause, where the source says nothing. */
async function onStored(db: Db, part: SnapshotBlogInput): Promise<SnapshotBlogInput> {
  const { ads = [], campaigns = [] } = part;
  if (ads.length + campaigns.length === 0) return part;
  const storedAds = new Map((await readAds(db, part.id)).map((ad) => [ad.id, ad]));
  const storedCampaigns = new Map((await readCampaigns(db, part.id)).map((campaign) => [campaign.id, campaign]));
  return {
    ...part,
    ads: ads.map((ad) => ({ ...storedAds.get(ad.id), ...ad })),
    campaigns: campaigns.map((campaign) => ({ ...storedCampaigns.get(campaign.id), ...campaign })),
  };
}

/** A blog, whose parts were read one after the other. */
interface ImportSource extends Source {
  readonly plan: BlogPlan;
  readonly before: Settings;
  readonly ads: SnapshotAd[];
  readonly campaigns: SnapshotCampaign[];
  readonly written: Written[];
  readonly changed: ImportChange[];
}

const newSource = (plan: BlogPlan, before: Settings): ImportSource => ({
  ...{ plan, before, posts: [], category: new Set(), tag: new Set(), ads: [], campaigns: [], written: [], changed: [] },
  removals: new Removals(),
});

/** Each setting as text, for comparison. */
type Settings = Readonly<Record<Exclude<ImportChange, 'ads' | 'campaigns'>, string>>;

async function readSettings(db: Db, blogId: string): Promise<Settings> {
  const head = await readHead(db, blogId);
  const keys = head ? await readKeys(db, blogId) : [];
  return {
    blog: String(head !== undefined),
    name: head?.name ?? '',
    domains: JSON.stringify(head?.domains ?? []),
    'time zone': head?.timeZone ?? '',
    publisher: JSON.stringify(head?.publisher ?? {}),
    keys: String(keys.length),
  };
}

const changesBetween = (before: Settings, after: Settings): ImportChange[] =>
  (Object.keys(after) as (keyof Settings)[]).filter((name) => before[name] !== after[name]);

/** A blog that was written. */
interface Finished {
  readonly source: ImportSource;
  readonly removed: Pruned;
  readonly ofAds: WrittenAds;
  readonly newKey: string | undefined;
}

function resultOf(id: string, { source, removed, ofAds, newKey }: Finished): ImportedBlog {
  const { plan, posts, category, tag, ads, campaigns, written } = source;
  const of = (kind: keyof Written): NamedChanges => ({
    added: written.flatMap((part) => part[kind].added),
    changed: written.flatMap((part) => part[kind].changed),
    removed: removed[kind],
  });
  const changes = {
    ...{ posts: of('posts'), categories: of('categories'), tags: of('tags') },
    campaigns: { ...ofAds.campaigns, removed: [] },
    ads: { ...ofAds.ads, removed: [] },
  };
  const isChanged = (kind: keyof WrittenAds) => ofAds[kind].added.length + ofAds[kind].changed.length > 0;
  return {
    ...{ id, posts: posts.length, categories: category.size, tags: tag.size },
    ...{ ads: ads.length, campaigns: campaigns.length, newPosts: changes.posts.added.length },
    changed: [...source.changed, ...(['ads', 'campaigns'] as const).filter(isChanged)],
    ...{ changes, newKey, totals: plan.totals, notes: plan.notes },
    pruned: { posts: removed.posts.length, categories: removed.categories.length, tags: removed.tags.length },
  };
}

const NOTHING: Pruned = { posts: [], categories: [], tags: [] };

/** Creates a key for a blog without keys, which nothing could read. */
async function missingKey(db: Db, blogId: string, now: number): Promise<string | undefined> {
  if ((await readKeys(db, blogId)).length > 0) return undefined;
  const key = newApiKey();
  await writeKey(db, blogId, { apiKey: key }, now);
  return key;
}
