import type { WebhookType } from '@broadsheet/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import { touchBlog } from '../blogs/blogs.ts';
import type { Tables } from '../tables.ts';

/** A webhook as the operator sees it, without its secret. */
export interface HookRecord {
  readonly id: string;
  readonly url: string;
  /** The events that it gets. */
  readonly types: readonly WebhookType[];
  readonly createdAt: string;
  /** When its receiver answered 410; nothing is sent to it until a test succeeds. */
  readonly goneAt: string | null;
  /** The messages that wait for their first or next attempt. */
  readonly pending: number;
}

/** A webhook to be added. */
export interface NewHook extends Pick<HookRecord, 'id' | 'url' | 'types'> {
  readonly secret: string;
}

/** Milliseconds for which requests are also signed with the secret before a rotation. */
const ROTATION = 24 * 60 * 60 * 1000;

/** The webhooks of a blog, oldest first. */
export async function readHooks(db: Kysely<Tables>, blogId: string): Promise<HookRecord[]> {
  const { rows } = await sql<Selectable<Tables['webhooks']> & { pending: number }>`
    select *, (select count(*) from webhook_messages as message where message.blog_id = webhooks.blog_id
      and message.hook_id = webhooks.id and next_at is not null) as pending
    from webhooks where blog_id = ${blogId} order by created_at, id`.execute(db);
  return rows.map(({ id, url, types, created_at, gone_at, pending }) => ({
    ...{ id, url, types: JSON.parse(types), createdAt: created_at, goneAt: gone_at, pending },
  }));
}

/** Adds a webhook. The new revision restarts an import that has not seen it. `false` when there is no such blog, or the id is used. */
export async function writeHook(db: Kysely<Tables>, blogId: string, hook: NewHook, now: number): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  const { id, url, types, secret } = hook;
  const { rows } = await sql`insert into webhooks (blog_id, id, url, types, secret, created_at)
    values (${blogId}, ${id}, ${url}, ${JSON.stringify(types)}, ${secret}, ${new Date(now).toISOString()})
    on conflict do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** Replaces the secret; for a day, requests are also signed with the old one. `false` when there is no such webhook. */
export async function rotateHook(
  db: Kysely<Tables>,
  blogId: string,
  { id, secret }: Pick<NewHook, 'id' | 'secret'>,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`update webhooks
    set old_secret = secret, old_until = cast(${now + ROTATION} as bigint), secret = ${secret}
    where blog_id = ${blogId} and id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

/** Removes a webhook with its messages; `false` when it does not exist. */
export async function removeHook(db: Kysely<Tables>, blogId: string, hookId: string): Promise<boolean> {
  await db.deleteFrom('webhook_messages').where('blog_id', '=', blogId).where('hook_id', '=', hookId).execute();
  const removed = db.deleteFrom('webhooks').where('blog_id', '=', blogId).where('id', '=', hookId).returning('id');
  return (await removed.execute()).length > 0;
}
