import type { WebhookType } from '@broadsheet/contract';
import { type Selectable, sql } from 'kysely';
import type { Session } from '../session.ts';
import type { Tables } from '../tables.ts';
import { addTest, type HookMessage } from './messages.ts';

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

/** What operators do with webhooks and their messages. */
export function createHookManagement({ database: { reader, transact }, changeContent }: Session) {
  return {
    /** The webhooks of the blog, oldest first. */
    async listHooks(blogId: string): Promise<readonly HookRecord[]> {
      const { rows } = await sql<Selectable<Tables['webhooks']> & { pending: number }>`
        select *, (select count(*) from webhook_messages as message where message.blog_id = webhooks.blog_id
          and message.hook_id = webhooks.id and next_at is not null) as pending
        from webhooks where blog_id = ${blogId} order by created_at, id`.execute(reader);
      return rows.map(({ id, url, types, created_at, gone_at, pending }) => ({
        ...{ id, url, types: JSON.parse(types), createdAt: created_at, goneAt: gone_at, pending },
      }));
    },
    /**
     * Adds a webhook. The new revision restarts an import that has not seen it. `false` when there is no such blog, or
     * the id is used.
     */
    addHook: (blogId: string, { id, url, types, secret }: NewHook, now: number): Promise<boolean> =>
      changeContent(blogId, false, async (db) => {
        const { rows } = await sql`insert into webhooks (blog_id, id, url, types, secret, created_at)
          values (${blogId}, ${id}, ${url}, ${JSON.stringify(types)}, ${secret}, ${new Date(now).toISOString()})
          on conflict do nothing returning id`.execute(db);
        return rows.length > 0;
      }),
    /** Replaces the secret; for a day, requests are also signed with the old one. `false` without such a webhook. */
    rotateHook: (blogId: string, { id, secret }: Pick<NewHook, 'id' | 'secret'>, now: number): Promise<boolean> =>
      transact(async (db) => {
        const { rows } = await sql`update webhooks
          set old_secret = secret, old_until = cast(${now + ROTATION} as bigint), secret = ${secret}
          where blog_id = ${blogId} and id = ${id} returning id`.execute(db);
        return rows.length > 0;
      }),
    /** Removes a webhook with its messages; `false` when it does not exist. */
    deleteHook: (blogId: string, hookId: string): Promise<boolean> =>
      transact(async (db) => {
        await db.deleteFrom('webhook_messages').where('blog_id', '=', blogId).where('hook_id', '=', hookId).execute();
        const hook = db.deleteFrom('webhooks').where('blog_id', '=', blogId).where('id', '=', hookId);
        return (await hook.executeTakeFirst()).numDeletedRows > 0;
      }),
    /** Sends an event that changes nothing to a webhook; the id of the message, if there is such a webhook. */
    testHook: (blogId: string, hookId: string): Promise<string | undefined> =>
      transact((db) => addTest(db, blogId, hookId)),
    /** The messages to the webhooks of the blog, the latest first. */
    async listHookMessages(blogId: string, limit: number): Promise<readonly HookMessage[]> {
      const messages = reader.selectFrom('webhook_messages').selectAll().where('blog_id', '=', blogId);
      const rows = await messages.orderBy('seq', 'desc').limit(limit).execute();
      return rows.map(({ id, hook_id, body, attempts, next_at }) => ({
        ...{ id, hookId: hook_id, event: JSON.parse(body), attempts: JSON.parse(attempts), nextAt: next_at },
      }));
    },
    /** Sends a message once more; `false` when it does not exist. */
    sendHookMessage: (blogId: string, messageId: string): Promise<boolean> =>
      transact(async (db) => {
        const message = db.updateTable('webhook_messages').where('blog_id', '=', blogId).where('id', '=', messageId);
        return (await message.set({ next_at: 0 }).executeTakeFirst()).numUpdatedRows > 0;
      }),
  };
}
