import { type Post, tagsOfLabel, tagsOfPost, type WebhookEvent, type WebhookType } from '@broadsheet/contract';
import { join } from 'sql-template-tag';
import { readAds } from '../blogs/ads.ts';
import { lockBlog } from '../blogs/blogs.ts';
import { readCampaigns } from '../blogs/campaigns.ts';
import { chunks, type Db, insert } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';

/** A change that readers can see: the data of its event, except the time and the revision. */
export interface Change {
  readonly type: WebhookType;
  readonly id: string | null;
  readonly slug: string | null;
  readonly tags: readonly string[];
}

/** Writes changes of a blog for its webhooks, in the transaction that makes them and after the blog has been locked. */
export type Outbox = (changes: readonly Change[]) => Promise<void>;

const ROWS = 500;

/** The outbox of a blog; `undefined` when it has no webhooks, so that nothing is written for it. */
export async function openOutbox(db: Db, blogId: string): Promise<Outbox | undefined> {
  const hooks = await db<Pick<Tables['webhooks'], 'id' | 'types'>>`select id, types from webhooks
    where blog_id = ${blogId} and gone_at is null`;
  if (hooks.length === 0) return undefined;
  return async (changes) => {
    for (const { id, types } of hooks) {
      const wanted: readonly string[] = JSON.parse(types);
      await addMessages(
        db,
        { blogId, hookId: id },
        changes.filter(({ type }) => wanted.includes(type)),
      );
    }
  };
}

/** The subject of a message: a post, a category or tag, or the ads. */
const subjectOf = ({ type, id }: Change): string => `${type.slice(0, type.indexOf('.'))} ${id ?? ''}`;

/** The webhook of new messages, and what differs for a test. */
interface Addressee {
  readonly blogId: string;
  readonly hookId: string;
  readonly subject?: string;
  readonly nextAt?: number;
}

/** Adds messages for one webhook, numbered in the order in which the blog was written. */
export async function addMessages(
  db: Db,
  { blogId, hookId, subject, nextAt = 0 }: Addressee,
  changes: readonly Change[],
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const rows = await db<{ revision: string; last: number }>`
    select revision, (select coalesce(max(seq), 0) from webhook_messages where blog_id = ${blogId}) as last
    from blogs where blog_id = ${blogId}`;
  const { revision = '', last = 0 } = rows[0] ?? {};
  const timestamp = new Date().toISOString();
  const messages = changes.map((change, index) => {
    const { type, id, slug, tags } = change;
    // A change has the id and the slug that events of its type have.
    const event = { type, timestamp, data: { id, slug, tags, revision } } as WebhookEvent;
    return {
      blog_id: blogId,
      id: `msg_${crypto.randomUUID()}`,
      hook_id: hookId,
      subject: subject ?? subjectOf(change),
      seq: last + 1 + index,
      body: JSON.stringify(event),
      created_at: timestamp,
      next_at: nextAt,
      attempts: '[]',
    };
  });
  for (const some of chunks(messages, ROWS)) await insert(db, 'webhook_messages', some);
  return messages.map(({ id }) => id);
}

type StoredPost = Pick<Tables['posts'], 'id' | 'status' | 'json' | 'cover_url'>;

/** The stored versions of posts, to compare them with the new ones. */
export const readStoredPosts = (db: Db, blogId: string, ids: readonly string[]): Promise<StoredPost[]> =>
  db`select id, status, json, cover_url from posts where blog_id = ${blogId} and id in (${join(ids)})`;

/**
 * The changes between the stored and the new versions of posts, without those that readers cannot see.
 *
 * @param replaced stored posts with the slugs of new ones, by the ids of the new ones: these are updates of their pages
 */
export function changesOfPosts(
  before: readonly StoredPost[],
  after: readonly StoredPost[],
  replaced: ReadonlyMap<string, StoredPost> = new Map(),
): Change[] {
  const visible = (posts: readonly StoredPost[]) =>
    new Map(posts.filter(({ status }) => status === 'PUBLISHED').map((post) => [post.id, post]));
  const [old, fresh] = [visible(before), visible(after)];
  const pages = new Map([...replaced].filter(([, { status }]) => status === 'PUBLISHED'));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((id) => {
    const is = fresh.get(id);
    const was = old.get(id) ?? (is && pages.get(id));
    if (was?.json === is?.json && was?.cover_url === is?.cover_url) return [];
    const versions = [was, is].filter((post) => post !== undefined).map(({ json }): Post => JSON.parse(json));
    const outdated = {
      slugs: versions.map(({ slug }) => slug),
      categoryIds: versions.flatMap(({ categories }) => categories.map((category) => category.id)),
      tagIds: versions.flatMap((post) => post.tags.map((tag) => tag.id)),
    };
    const tags = [id, ...versions.map((version) => version.id)].flatMap((own) => tagsOfPost({ id: own, ...outdated }));
    const type = was === undefined ? 'post.published' : is === undefined ? 'post.removed' : 'post.updated';
    return [{ type, id, slug: versions.at(-1)?.slug ?? '', tags: [...new Set(tags)] }];
  });
}

/** The changes to report for labels of one kind that were added, edited or removed. */
export const changesOfLabels = (kind: LabelKind, ids: readonly string[]): Change[] =>
  ids.map((id) => ({ type: 'label.changed', id, slug: null, tags: tagsOfLabel(kind, id) }));

/** Does work that writes ads or campaigns, and reports it if it changes what is delivered. */
export async function reportAds<T>(db: Db, blogId: string, work: () => Promise<T>): Promise<T> {
  const outbox = await openOutbox(db, blogId);
  // Two concurrent writes must not both compare with the state before the first one.
  if (!outbox || !(await lockBlog(db, blogId))) return work();
  const before = await readDelivered(db, blogId);
  const result = await work();
  const isChanged = before !== (await readDelivered(db, blogId));
  if (isChanged) await outbox([{ type: 'ads.changed', id: null, slug: null, tags: [] }]);
  return result;
}

/** The active ads and the rules of their campaigns, as text. */
async function readDelivered(db: Db, blogId: string): Promise<string> {
  const ads = await readAds(db, blogId, { active: true });
  const named = new Set(ads.map(({ campaignId }) => campaignId));
  const campaigns = (await readCampaigns(db, blogId)).filter(({ id }) => named.has(id));
  const shown = ads.map(({ name: _, ...ad }) => ad);
  return JSON.stringify([shown, campaigns.map(({ sponsor: _, name: __, ...rules }) => rules)]);
}

/**
 * The posts that a write hides from readers. They are reported after its last post: another post may have their slug
 * by then, as after a file was renamed, and a receiver must not remove the page of that post.
 */
export class Removals {
  readonly #changes: Change[] = [];
  readonly #replaced = new Set<string>();

  add(changes: readonly Change[]): void {
    this.#changes.push(...changes);
  }

  /** Records posts that another post replaces: the event of the other post contains their tags. */
  replaced(ids: Iterable<string>): void {
    for (const id of ids) this.#replaced.add(id);
  }

  /**
   * Reports the posts whose slugs are free. If another post has the slug, it reports an update of that post instead.
   */
  async report(db: Db, blogId: string): Promise<void> {
    for (const some of chunks(this.#changes, ROWS)) {
      const slugs = some.map(({ slug }) => slug ?? '');
      const heirs = await db<Pick<Tables['posts'], 'id' | 'slug'>>`select id, slug from posts
        where blog_id = ${blogId} and status = 'PUBLISHED' and slug in (${join(slugs)})`;
      const heirOf = new Map(heirs.map(({ id, slug }) => [slug, id]));
      const reported = some.flatMap((change): Change[] => {
        const heir = heirOf.get(change.slug ?? '');
        if (heir === undefined) return [change];
        return this.#replaced.has(change.id ?? '') ? [] : [{ ...change, type: 'post.updated', id: heir }];
      });
      await (await openOutbox(db, blogId))?.(reported);
    }
  }
}
