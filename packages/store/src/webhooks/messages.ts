import type { WebhookEvent } from '@broadsheet/contract';
import { codeUnitOrder } from '@broadsheet/core';
import sql, { empty, join } from 'sql-template-tag';
import { lockBlog } from '../blogs/blogs.ts';
import type { Pruning } from '../database.ts';
import { publishDuePosts, readBlogsWithDuePosts } from '../posts/post-management.ts';
import type { Session } from '../session.ts';
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { freeLease, type Lease, takeLease } from './lease.ts';
import { addMessages } from './outbox.ts';

/** One attempt to deliver a message. */
export interface Attempt {
  readonly at: string;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  /** The status of the response; absent without one. */
  readonly status?: number;
  /** The beginning of the response, or why there was none. */
  readonly text: string;
}

/** A message of a webhook as the operator sees it. */
export interface HookMessage {
  readonly id: string;
  readonly hookId: string;
  readonly event: WebhookEvent;
  readonly attempts: readonly Attempt[];
  /** When it is sent next, in milliseconds since the epoch; `null` when it was delivered or given up. */
  readonly nextAt: number | null;
}

/** A message that can be sent now. */
export interface DueMessage {
  readonly blogId: string;
  readonly id: string;
  readonly hookId: string;
  readonly url: string;
  /** The secret of the webhook and those that it had in the last 24 hours. */
  readonly secrets: readonly string[];
  /** The subject of the message: only one message about a subject may be sent at a time. */
  readonly subject: string;
  /** Whether it is a test, which is sent first and only once. */
  readonly isTest: boolean;
  readonly body: string;
  readonly attempts: readonly Attempt[];
  /** Older messages about the same subject, which this one replaces. */
  readonly replaced: readonly string[];
}

/** The messages that a sender can send in addition to those in flight. */
export interface Room {
  hasRoom(hook: Pick<DueMessage, 'blogId' | 'hookId'>): boolean;
  isSending(message: Pick<DueMessage, 'blogId' | 'hookId' | 'subject'>): boolean;
}

/** The name of the lease of the process that sends webhooks. */
export const SENDER = 'webhooks';

export type OutboxReader = ReturnType<typeof createOutboxReader>;

/** The methods that the process that sends webhooks needs. */
export function createOutboxReader({ database, change }: Session, pruning: Pruning) {
  const { reader, transact, changes } = database;
  return {
    /** Milliseconds after a commit until no process shows the previous state. */
    delay: changes.delay,
    /** Calls back when a blog has changed, if the database reports changes. */
    listen: (onChange: () => void): void => changes.listen(onChange),
    /**
     * Publishes the due posts of the blogs that have webhooks. Returns the errors of the blogs for which this failed, by
     * their ids: the others are published anyway.
     */
    async publishDuePosts(now: number): Promise<ReadonlyMap<string, unknown>> {
      const failed = new Map<string, unknown>();
      for (const blogId of await readBlogsWithDuePosts(reader, now)) {
        await change(blogId, (db) => publishDuePosts({ db, database }, blogId, now), { for: 'soon' }).catch((error) =>
          failed.set(blogId, error),
        );
      }
      return failed;
    },
    /** Due messages: some of each webhook that has room for more requests. */
    due: (now: number, room: Room): Promise<readonly DueMessage[]> => readDue(reader, now, room),
    /** Adds an attempt to a message, and the time of the next attempt, if there is one. */
    async record(message: DueMessage, attempt: Attempt, nextAt: number | null): Promise<void> {
      await transact((db) => recordAttempt(db, message, attempt, nextAt));
      pruning.at(Date.parse(attempt.at));
    },
    /** Takes or renews the lease to send; see `takeLease`. */
    take: (holder: string, stale?: number): Promise<Lease> => transact((db) => takeLease(db, SENDER, holder, stale)),
    free: (holder: string): Promise<void> => transact((db) => freeLease(db, SENDER, holder)),
  };
}

/** The maximum number of messages of one webhook that are read at a time. */
const WINDOW = 32;

/**
 * The share of each webhook is read separately, so that the messages of one webhook never delay the messages of others.
 * Tests come first, then the first messages of all webhooks, the oldest before the others.
 */
async function readDue(db: Db, now: number, room: Room): Promise<readonly DueMessage[]> {
  const any = await db`select 1 from webhook_messages where next_at <= ${now} limit 1`;
  if (any.length === 0) return [];
  const hooks = await db<Tables['webhooks']>`select * from (
      select webhooks.*, (select min(next_at) from webhook_messages as message
        where message.blog_id = webhooks.blog_id and message.hook_id = webhooks.id and next_at is not null) as next_at
      from webhooks
    ) as hook where next_at <= ${now}`;
  const due: { readonly place: number; readonly since: string; readonly message: DueMessage }[] = [];
  for (const hook of hooks) {
    if (!room.hasRoom({ blogId: hook.blog_id, hookId: hook.id })) continue;
    const rows = await readDueOf(db, hook, now, room);
    for (const [index, [since, message]] of rows.entries()) {
      due.push({ place: message.isTest ? -1 : index, since, message });
    }
  }
  return due.sort((a, b) => a.place - b.place || codeUnitOrder(a.since, b.since)).map(({ message }) => message);
}

type HookRow = Tables['webhooks'];
type MessageRow = Tables['webhook_messages'];

/** The due messages of a webhook, with their creation times. */
async function readDueOf(
  db: Db,
  hook: HookRow,
  now: number,
  room: Room,
): Promise<(readonly [since: string, message: DueMessage])[]> {
  const [blogId, hookId] = [hook.blog_id, hook.id];
  const ofHook = sql`from webhook_messages where blog_id = ${blogId} and hook_id = ${hookId}`;
  const due = await db<MessageRow>`select subject, created_at ${ofHook} and next_at <= ${now}
    ${hook.gone_at === null ? empty : sql`and subject like ${`${TEST}%`}`} order by next_at, seq limit ${WINDOW}`;
  const since = new Map(due.map(({ subject, created_at }) => [subject, created_at]));
  const subjects = [...since.keys()].filter((subject) => !room.isSending({ blogId, hookId, subject }));
  if (subjects.length === 0) return [];
  const waiting = await db<MessageRow>`select * ${ofHook} and next_at is not null and subject in (${join(subjects)})
    order by seq`;
  const bySubject = Map.groupBy(waiting, ({ subject }) => subject);
  return subjects.flatMap((subject) => {
    const newest = bySubject.get(subject)?.at(-1);
    return newest ? [[since.get(subject) ?? '', toDue(hook, newest, bySubject.get(subject) ?? [], now)] as const] : [];
  });
}

/** @param rows the waiting messages about a subject, the newest last */
function toDue(hook: HookRow, newest: MessageRow, rows: readonly MessageRow[], now: number): DueMessage {
  const { blog_id: blogId, hook_id: hookId, id, subject } = newest;
  const secrets = [hook.secret, ...oldSecrets(hook, now).map(({ secret }) => secret)];
  return {
    ...{ blogId, hookId, id, subject, isTest: subject.startsWith(TEST), url: hook.url, secrets },
    body: rows.length > 1 ? mergedBody(rows) : newest.body,
    attempts: JSON.parse(newest.attempts),
    replaced: rows.filter((row) => row !== newest).map((row) => row.id),
  };
}

/** The newest state of a subject, with the cache tags of all its messages, because their slugs and labels may differ. */
function mergedBody(rows: readonly MessageRow[]): string {
  const events = rows.map(({ body }): WebhookEvent => JSON.parse(body));
  const last = events.at(-1);
  const isNew = last?.type === 'post.updated' && events.some(({ type }) => type === 'post.published');
  const tags = [...new Set(events.flatMap(({ data }) => data.tags))];
  return JSON.stringify({ ...last, ...(isNew && { type: 'post.published' }), data: { ...last?.data, tags } });
}

/** The secrets of a webhook from the last 24 hours that were replaced, the latest first. */
export function oldSecrets({ old_secrets }: Pick<HookRow, 'old_secrets'>, now: number) {
  const secrets: readonly { readonly secret: string; readonly until: number }[] = JSON.parse(old_secrets ?? '[]');
  return secrets.filter(({ until }) => until > now);
}

/** Locks and returns a webhook. It is locked before its messages, to avoid deadlocks. */
export async function lockHook(db: Db, blogId: string, hookId: string): Promise<HookRow | undefined> {
  const rows = await db<HookRow>`update webhooks set secret = secret
    where blog_id = ${blogId} and id = ${hookId} returning *`;
  return rows[0];
}

/** Adds an attempt to a message. Without a time of the next one, the message is delivered or given up. */
async function recordAttempt(db: Db, message: DueMessage, attempt: Attempt, nextAt: number | null): Promise<void> {
  const { blogId, id, hookId, attempts, body, replaced } = message;
  const hook = await lockHook(db, blogId, hookId);
  if (!hook) return;
  const at = Date.parse(attempt.at);
  const goneAt = goneAfter(hook.gone_at, attempt);
  const ofHook = sql`blog_id = ${blogId} and hook_id = ${hookId}`;
  // If this process was suspended for long, another one may have recorded an attempt.
  await db`update webhook_messages set attempts = ${JSON.stringify([...attempts, attempt])}, body = ${body},
      next_at = ${goneAt === null ? nextAt : null}, tried_at = coalesce(tried_at, cast(${at} as bigint))
    where ${ofHook} and id = ${id} and attempts = ${JSON.stringify(attempts)}`;
  if (replaced.length > 0) {
    await db`update webhook_messages set next_at = null where ${ofHook} and id in (${join(replaced)})`;
    await db`delete from webhook_messages where ${ofHook} and id in (${join(replaced)}) and attempts = '[]'`;
  }
  const succeededAt = hook.succeeded_at ?? 0;
  if (goneAt !== null) {
    await db`update webhook_messages set next_at = null
      where ${ofHook} and next_at is not null and subject not like ${`${TEST}%`}`;
  } else if (isSuccess(attempt)) {
    // The first success after an outage: messages that failed since the last success are sent at once.
    await db`update webhook_messages set next_at = 0
      where ${ofHook} and next_at > ${at} and tried_at > ${succeededAt}`;
  }
  await db`update webhooks set gone_at = ${goneAt}, succeeded_at = ${isSuccess(attempt) ? Math.max(at, succeededAt) : hook.succeeded_at}
    where blog_id = ${blogId} and id = ${hookId}`;
}

/** The time since which a receiver is gone, after an attempt. A success counts only if its request began after that. */
function goneAfter(goneAt: string | null, attempt: Attempt): string | null {
  const { at, duration, status } = attempt;
  if (status === GONE) return new Date(Date.parse(at) + duration).toISOString();
  return goneAt !== null && isSuccess(attempt) && at >= goneAt ? null : goneAt;
}

const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300;

/** The status with which a receiver reports that it no longer exists. */
const GONE = 410;
/** The beginning of the subjects of tests, which are sent to receivers that are gone, too. */
const TEST = 'test ';
/** The time of the next attempt of a test: changes are due from 0 on. */
const BEFORE_ALL = -1;

/** Adds a test to the messages of one webhook, due before all others; returns its id. */
export async function addTest(db: Db, blogId: string, hookId: string): Promise<string | undefined> {
  if (!(await lockBlog(db, blogId))) return undefined;
  const hooks = await db`select id from webhooks where blog_id = ${blogId} and id = ${hookId}`;
  if (hooks.length === 0) return undefined;
  const subject = `${TEST}${crypto.randomUUID()}`;
  const ping = { type: 'ping', id: null, slug: null, tags: [] } as const;
  return (await addMessages(db, { blogId, hookId, subject, nextAt: BEFORE_ALL }, [ping]))[0];
}
