import type { WebhookEvent } from '@broadsheet/contract';
import { codeUnitOrder } from '@broadsheet/core';
import { type Kysely, type Selectable, sql } from 'kysely';
import { lockBlog } from '../blogs/blogs.ts';
import type { Pruning } from '../database.ts';
import { publishDuePosts, readBlogsWithDuePosts } from '../posts/post-management.ts';
import type { Session } from '../session.ts';
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
  /** What the message is about: only one message about a subject may be sent at a time. */
  readonly subject: string;
  /** Whether it is a test, which is sent first and only once. */
  readonly isTest: boolean;
  readonly body: string;
  readonly attempts: readonly Attempt[];
  /** Older messages about the same subject, which this one replaces. */
  readonly replaced: readonly string[];
}

/** What a sender can send in addition to what it is sending. */
export interface Room {
  hasRoom(hook: Pick<DueMessage, 'blogId' | 'hookId'>): boolean;
  isSending(message: Pick<DueMessage, 'blogId' | 'hookId' | 'subject'>): boolean;
}

/** The name of the lease of the process that sends webhooks. */
export const SENDER = 'webhooks';

export type OutboxReader = ReturnType<typeof createOutboxReader>;

/** What the process that sends webhooks needs. */
export function createOutboxReader({ database, change }: Session, pruning: Pruning) {
  const { reader, transact, changes } = database;
  return {
    /** Milliseconds after a commit until no process shows the previous state. */
    delay: changes.delay,
    /** Calls back when a blog was written, if the database reports it. */
    listen: (onChange: () => void): void => changes.listen(onChange),
    /** Publishes the due posts of the blogs that have webhooks. */
    async publishDuePosts(now: number): Promise<void> {
      for (const blogId of await readBlogsWithDuePosts(reader, now)) {
        await change(blogId, (db) => publishDuePosts({ db, database }, blogId, now), { for: 'soon' });
      }
    },
    /** Messages that are due, some of each webhook for which there is room. */
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
 * The share of each webhook is read separately, so that the messages of one never delay those of others. Tests come
 * first, then the first messages of all webhooks, the oldest before the others.
 */
async function readDue(db: Kysely<Tables>, now: number, room: Room): Promise<readonly DueMessage[]> {
  const any = await sql`select 1 from webhook_messages where next_at <= ${now} limit 1`.execute(db);
  if (any.rows.length === 0) return [];
  const { rows: hooks } = await sql<Selectable<Tables['webhooks']>>`select * from (
      select webhooks.*, (select min(next_at) from webhook_messages as message
        where message.blog_id = webhooks.blog_id and message.hook_id = webhooks.id and next_at is not null) as next_at
      from webhooks
    ) as hook where next_at <= ${now}`.execute(db);
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

type HookRow = Selectable<Tables['webhooks']>;
type MessageRow = Selectable<Tables['webhook_messages']>;

/** The messages of a webhook that are due, with the times at which they were created. */
async function readDueOf(
  db: Kysely<Tables>,
  hook: HookRow,
  now: number,
  room: Room,
): Promise<(readonly [since: string, message: DueMessage])[]> {
  const [blogId, hookId] = [hook.blog_id, hook.id];
  const ofHook = db.selectFrom('webhook_messages').where('blog_id', '=', blogId).where('hook_id', '=', hookId);
  const due = await ofHook
    .select(['subject', 'created_at'])
    .where('next_at', '<=', now)
    .$if(hook.gone_at !== null, (query) => query.where('subject', 'like', `${TEST}%`))
    .orderBy('next_at')
    .orderBy('seq')
    .limit(WINDOW)
    .execute();
  const since = new Map(due.map(({ subject, created_at }) => [subject, created_at]));
  const subjects = [...since.keys()].filter((subject) => !room.isSending({ blogId, hookId, subject }));
  if (subjects.length === 0) return [];
  const waiting = ofHook.selectAll().where('next_at', 'is not', null).where('subject', 'in', subjects);
  const bySubject = Map.groupBy(await waiting.orderBy('seq').execute(), ({ subject }) => subject);
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
export async function lockHook(db: Kysely<Tables>, blogId: string, hookId: string): Promise<HookRow | undefined> {
  const hook = db.updateTable('webhooks').where('blog_id', '=', blogId).where('id', '=', hookId);
  return hook
    .set(({ ref }) => ({ secret: ref('secret') }))
    .returningAll()
    .executeTakeFirst();
}

/** Adds an attempt to a message. Without a time of the next one, the message is delivered or given up. */
async function recordAttempt(
  db: Kysely<Tables>,
  message: DueMessage,
  attempt: Attempt,
  nextAt: number | null,
): Promise<void> {
  const { blogId, id, hookId, attempts, body, replaced } = message;
  const hook = await lockHook(db, blogId, hookId);
  if (!hook) return;
  const at = Date.parse(attempt.at);
  const isWell = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  const goneAt = goneAfter(hook.gone_at, attempt);
  const messages = db.updateTable('webhook_messages').where('blog_id', '=', blogId).where('hook_id', '=', hookId);
  await messages
    .set({ attempts: JSON.stringify([...attempts, attempt]), body, next_at: goneAt === null ? nextAt : null })
    .set(({ fn, val }) => ({ tried_at: fn.coalesce('tried_at', sql<number>`cast(${val(at)} as bigint)`) }))
    .where('id', '=', id)
    // If this process was suspended for long, another one may have recorded an attempt.
    .where('attempts', '=', JSON.stringify(attempts))
    .execute();
  if (replaced.length > 0) {
    await messages.set({ next_at: null }).where('id', 'in', replaced).execute();
    const old = db.deleteFrom('webhook_messages').where('blog_id', '=', blogId).where('id', 'in', replaced);
    await old.where('attempts', '=', '[]').execute();
  }
  if (goneAt !== null) {
    const waiting = messages.set({ next_at: null }).where('next_at', 'is not', null);
    await waiting.where('subject', 'not like', `${TEST}%`).execute();
  } else if (isWell) {
    // The first success after an outage: what failed since the last one is sent at once.
    const failed = messages.set({ next_at: 0 }).where('next_at', '>', at);
    await failed.where('tried_at', '>', hook.succeeded_at ?? 0).execute();
  }
  await db
    .updateTable('webhooks')
    .set({ gone_at: goneAt, ...(isWell && { succeeded_at: Math.max(at, hook.succeeded_at ?? 0) }) })
    .where('blog_id', '=', blogId)
    .where('id', '=', hookId)
    .execute();
}

/** Since when a receiver is gone after an attempt. A success counts only if its request began after that. */
function goneAfter(goneAt: string | null, { at, duration, status = 0 }: Attempt): string | null {
  if (status === GONE) return new Date(Date.parse(at) + duration).toISOString();
  const isWell = status >= 200 && status < 300;
  return goneAt !== null && isWell && at >= goneAt ? null : goneAt;
}

/** The status with which a receiver reports that it no longer exists. */
const GONE = 410;
/** The beginning of the subjects of tests, which are sent to receivers that are gone, too. */
const TEST = 'test ';
/** The time of the next attempt of a test: changes are due from 0 on. */
const BEFORE_ALL = -1;

/** Adds a test to the messages of one webhook, due before all others; returns its id. */
export async function addTest(db: Kysely<Tables>, blogId: string, hookId: string): Promise<string | undefined> {
  if (!(await lockBlog(db, blogId))) return undefined;
  const hook = db.selectFrom('webhooks').select('id').where('blog_id', '=', blogId).where('id', '=', hookId);
  if (!(await hook.executeTakeFirst())) return undefined;
  const subject = `${TEST}${crypto.randomUUID()}`;
  const ping = { type: 'ping', id: null, slug: null, tags: [] } as const;
  return (await addMessages(db, { blogId, hookId, subject, nextAt: BEFORE_ALL }, [ping]))[0];
}
