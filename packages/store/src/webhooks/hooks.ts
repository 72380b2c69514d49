import type { WebhookType } from '@broadsheet/contract';
import sql from 'sql-template-tag';
import type { Session } from '../session.ts';
import type { Tables } from '../tables.ts';
import { isHeld } from './lease.ts';
import { addTest, type HookMessage, lockHook, oldSecrets, SENDER } from './messages.ts';

/** A webhook as the operator sees it, without its secret. */
export interface HookRecord {
  readonly id: string;
  readonly url: string;
  /** The events that it gets. */
  readonly types: readonly WebhookType[];
  readonly createdAt: string;
  /** When its receiver returned 410; nothing is sent to it until a test succeeds. */
  readonly goneAt: string | null;
  /** The messages that wait for their first or next attempt. */
  readonly pending: number;
}

/** A webhook to be added. */
export interface NewHook extends Pick<HookRecord, 'id' | 'url' | 'types'> {
  readonly secret: string;
}

/** The maximum number of webhooks of a blog. */
export const MAX_HOOKS = 10;

/** Milliseconds for which requests are also signed with the secret before a rotation. */
const ROTATION = 24 * 60 * 60 * 1000;
/** The maximum number of earlier secrets with which requests are signed. */
const MAX_OLD_SECRETS = 9;

/** The methods of operators for webhooks and their messages. */
export function createHookManagement({ database: { reader, transact }, changeContent }: Session) {
  return {
    /** The webhooks of the blog, oldest first. */
    async listHooks(blogId: string): Promise<readonly HookRecord[]> {
      const rows = await reader<Tables['webhooks'] & { pending: number }>`
        select *, (select count(*) from webhook_messages as message where message.blog_id = webhooks.blog_id
          and message.hook_id = webhooks.id and next_at is not null) as pending
        from webhooks where blog_id = ${blogId} order by created_at, id`;
      return rows.map(({ id, url, types, created_at, gone_at, pending }) => ({
        ...{ id, url, types: JSON.parse(types), createdAt: created_at, goneAt: gone_at, pending },
      }));
    },
    /**
     * Adds a webhook. The new revision restarts an import that does not know it. `false` when there is no such blog,
     * the id is used, or the blog has {@link MAX_HOOKS} webhooks.
     */
    addHook: (blogId: string, { id, url, types, secret }: NewHook, now: number): Promise<boolean> =>
      changeContent(blogId, false, async (db) => {
        const rows = await db`insert into webhooks (blog_id, id, url, types, secret, created_at)
          select ${blogId}, ${id}, ${url}, ${JSON.stringify(types)}, ${secret}, ${new Date(now).toISOString()}
          where (select count(*) from webhooks where blog_id = ${blogId}) < ${MAX_HOOKS}
          on conflict do nothing returning id`;
        return rows.length > 0;
      }),
    /** Replaces the secret; for a day, requests are also signed with the old ones. `false` without such a webhook. */
    rotateHook: (blogId: string, { id, secret }: Pick<NewHook, 'id' | 'secret'>, now: number): Promise<boolean> =>
      transact(async (db) => {
        const hook = await lockHook(db, blogId, id);
        if (!hook) return false;
        const old = [{ secret: hook.secret, until: now + ROTATION }, ...oldSecrets(hook, now)];
        await db`update webhooks set secret = ${secret}, old_secrets = ${JSON.stringify(old.slice(0, MAX_OLD_SECRETS))}
          where blog_id = ${blogId} and id = ${id}`;
        return true;
      }),
    /** Removes a webhook with its messages; `false` when it does not exist. */
    deleteHook: (blogId: string, hookId: string): Promise<boolean> =>
      transact(async (db) => {
        const hooks = await db`delete from webhooks where blog_id = ${blogId} and id = ${hookId} returning id`;
        await db`delete from webhook_messages where blog_id = ${blogId} and hook_id = ${hookId}`;
        return hooks.length > 0;
      }),
    /** Whether a process is sending messages, or was killed while it did. */
    isSendingHooks: (): Promise<boolean> => isHeld(reader, SENDER),
    /** Sends a ping to a webhook; the id of the message, if there is such a webhook. */
    testHook: (blogId: string, hookId: string): Promise<string | undefined> =>
      transact((db) => addTest(db, blogId, hookId)),
    /** The messages to the webhooks of the blog, the latest first. */
    async listHookMessages(blogId: string, limit: number): Promise<readonly HookMessage[]> {
      // On PostgreSQL, an import may write messages for a webhook that is deleted in the meantime.
      const rows = await reader<Tables['webhook_messages']>`select * from webhook_messages
        where blog_id = ${blogId} and hook_id in (select id from webhooks where blog_id = ${blogId})
        order by seq desc limit ${limit}`;
      return rows.map(toMessage);
    },
    /** Sends a message once more; `false` when it does not exist, or its receiver is gone. */
    sendHookMessage: (blogId: string, messageId: string): Promise<boolean> =>
      transact(async (db) => {
        const hooks = sql`select id from webhooks where blog_id = ${blogId} and gone_at is null`;
        const rows = await db`update webhook_messages set next_at = 0
          where blog_id = ${blogId} and id = ${messageId} and hook_id in (${hooks}) returning id`;
        return rows.length > 0;
      }),
  };
}

function toMessage(row: Tables['webhook_messages']): HookMessage {
  const { id, hook_id: hookId, body, attempts, next_at, created_at } = row;
  const nextAt = next_at === null ? null : Math.max(next_at, Date.parse(created_at));
  return { id, hookId, event: JSON.parse(body), attempts: JSON.parse(attempts), nextAt };
}
