import type { WebhookEvent, WebhookType } from '@broadsheet/contract';
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
  /** The secret of the webhook and, for a day after a rotation, the previous one. */
  readonly secrets: readonly string[];
  readonly body: string;
  readonly attempts: readonly Attempt[];
}

/** The name of the lease of the process that sends webhooks. */
const SENDER = 'webhooks';

export type OutboxReader = ReturnType<typeof createOutboxReader>;

/** What the process that sends webhooks needs. */
export function createOutboxReader({ database, changeSoon }: Session, pruning: Pruning) {
  const { reader, transact, changes } = database;
  return {
    /** Milliseconds after a commit until no process shows the previous state. */
    delay: changes.delay,
    /** Calls back when a blog was written, if the database reports it. */
    listen: (onChange: () => void): void => changes.listen(onChange),
    /** Publishes the due posts of the blogs that have webhooks. */
    async publishDuePosts(now: number): Promise<void> {
      for (const blogId of await readBlogsWithDuePosts(reader, now)) {
        await changeSoon(blogId, (db) => publishDuePosts({ db, database }, blogId, now));
      }
    },
    async due(now: number, busyHooks: readonly string[], limit: number): Promise<readonly DueMessage[]> {
      const { due, isBlocked } = await readDue(reader, now, busyHooks, limit);
      if (isBlocked) await transact((db) => postponeBlocked(db, now, limit));
      return due;
    },
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

/**
 * Messages that are due. Of several about the same subject, the first one blocks the others, so that a receiver gets
 * them in order.
 *
 * @param busy webhooks that are left out
 */
async function readDue(
  db: Kysely<Tables>,
  now: number,
  busy: readonly string[],
  limit: number,
): Promise<{ readonly due: readonly DueMessage[]; readonly isBlocked: boolean }> {
  const others = busy.length > 0 ? sql`and hook_id not in (${sql.join(busy)})` : sql``;
  // The inner query has the limit, so that the databases read only its rows of the index.
  const { rows } = await sql<DueRow>`
    select message.*, url, secret, old_secret, old_until, first.seq as first_seq, first.next_at as first_at
    from (select * from webhook_messages where next_at <= ${now} ${others}
      order by next_at, seq limit ${limit}) as message
    join webhooks on webhooks.blog_id = message.blog_id and webhooks.id = message.hook_id
    join webhook_messages as first on first.blog_id = message.blog_id and first.seq = ${FIRST_SEQ}
    order by message.next_at, message.seq`.execute(db);
  const due = rows.filter(({ seq, first_seq }) => seq === first_seq);
  return { due: due.map((row) => toDue(row, now)), isBlocked: rows.some(({ first_at }) => first_at > now) };
}

type DueRow = Selectable<Tables['webhook_messages'] & Tables['webhooks']> & { first_seq: number; first_at: number };

/** The number of the first waiting message about the subject of `message`. */
const FIRST_SEQ = sql`(select min(waiting.seq) from webhook_messages as waiting
  where waiting.blog_id = message.blog_id and waiting.hook_id = message.hook_id
    and waiting.subject = message.subject and waiting.next_at is not null)`;

function toDue({ old_secret, old_until, ...row }: DueRow, now: number): DueMessage {
  const { blog_id: blogId, id, hook_id: hookId, url, secret, body, attempts } = row;
  const secrets = old_secret !== null && (old_until ?? 0) > now ? [secret, old_secret] : [secret];
  return { blogId, id, hookId, url, secrets, body, attempts: JSON.parse(attempts) };
}

/** Postpones messages behind a failed one until its next attempt, so that they do not fill the limit of a query. */
async function postponeBlocked(db: Kysely<Tables>, now: number, limit: number): Promise<void> {
  await sql`update webhook_messages as message
    set next_at = (select next_at from webhook_messages as first
      where first.blog_id = message.blog_id and first.seq = ${FIRST_SEQ})
    where id in (select id from webhook_messages where next_at <= ${now} order by next_at, seq limit ${limit})
      and ${now} < (select next_at from webhook_messages as first
        where first.blog_id = message.blog_id and first.seq = ${FIRST_SEQ})`.execute(db);
}

/** Adds an attempt to a message. Without a time of the next one, the message is delivered or given up. */
async function recordAttempt(
  db: Kysely<Tables>,
  { blogId, id, hookId, attempts }: Omit<DueMessage, 'body' | 'secrets' | 'url'>,
  attempt: Attempt,
  nextAt: number | null,
): Promise<void> {
  await db
    .updateTable('webhook_messages')
    .set({ attempts: JSON.stringify([...attempts, attempt]), next_at: nextAt })
    .where('blog_id', '=', blogId)
    .where('id', '=', id)
    // If this process was suspended for long, another one may have recorded an attempt.
    .where('attempts', '=', JSON.stringify(attempts))
    .execute();
  const hook = db.updateTable('webhooks').where('blog_id', '=', blogId).where('id', '=', hookId);
  if (attempt.status !== GONE) {
    const isWell = nextAt === null && (attempt.status ?? 0) < 300;
    if (isWell) await hook.set({ gone_at: null }).where('gone_at', 'is not', null).execute();
    return;
  }
  await hook.set({ gone_at: attempt.at }).execute();
  const waiting = db.updateTable('webhook_messages').set({ next_at: null }).where('next_at', 'is not', null);
  await waiting.where('blog_id', '=', blogId).where('hook_id', '=', hookId).execute();
}

/** The status with which a receiver reports that it no longer exists. */
const GONE = 410;

/** Adds an event that changes nothing to the messages of one webhook; returns its id. */
export async function addTest(db: Kysely<Tables>, blogId: string, hookId: string): Promise<string | undefined> {
  if (!(await lockBlog(db, blogId))) return undefined;
  const hook = db.selectFrom('webhooks').select('types').where('blog_id', '=', blogId).where('id', '=', hookId);
  const row = await hook.executeTakeFirst();
  if (!row) return undefined;
  const types: readonly WebhookType[] = JSON.parse(row.types);
  const type = types[0] ?? 'post.updated';
  const id = type === 'ads.changed' ? null : 'test';
  const slug = type.startsWith('post.') ? 'test' : null;
  return (await addMessages(db, { blogId, hookId }, [{ type, id, slug, tags: [] }]))[0];
}
