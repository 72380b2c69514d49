import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Changes } from '../database.ts';
import type { Tables } from '../tables.ts';

/** The channel on which triggers name the blog of each row of `blogs` and `api_keys` that is written. */
const CHANNEL = 'broadsheet';
/** Characters of a blog's id that fit a notification; a longer id is cut, and stands for any blog. */
const LONGEST = 1900;

/** Statements of the schema. */
export const CHANGES_SCHEMA = [
  `create function broadsheet_notify() returns trigger language plpgsql as $$
    begin
      perform pg_notify('${CHANNEL}', left(coalesce(new.blog_id, old.blog_id), ${LONGEST}));
      return null;
    end $$`,
  ...['blogs', 'api_keys'].map(
    (table) => `create trigger ${table}_notify after insert or update or delete on ${table}
      for each row execute function broadsheet_notify()`,
  ),
];

/** Milliseconds between two beats, and how long one is trusted: a revoked key is refused within a second. */
const BEAT = 200;
const TRUST = 700;
/** How long what was read is good while no changes are reported, in milliseconds. */
const SHORT_LIFE = 400;
/** Milliseconds until another connection is tried, and until beats that never arrive become rare. */
const RETRY = 500;
const PATIENCE = 5000;
/** How long beats may stay away that came before: after that the connection stands with a server others have left. */
const STALE = 2000;

/** Changes that PostgreSQL reports. */
export interface Listening extends Changes {
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, from the first read on. Beats prove that notifications arrive: this process
 * notifies itself by another connection, and what was committed before a beat has arrived when the beat does. Without
 * them, when the connection is away or something between passes no notifications on, what was read has a short life.
 */
export function listenForChanges(db: Kysely<Tables>, url: string): Listening {
  const own = `broadsheet_${randomUUID().replaceAll('-', '')}`;
  const listeners: ((blogId: string | undefined) => void)[] = [];
  const changed = (blogId: string | undefined) => {
    for (const listener of listeners) listener(blogId);
  };
  let client: pg.Client | undefined;
  /** Counts connections: between two of them notifications were lost. */
  let connections = 0;
  let started = false;
  let closed = false;
  /** When the last beat was sent that has come back. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  /** When the first beat was sent of those that have not come back. */
  let missingSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function later(work: () => Promise<void>, wait: number): void {
    if (closed) return;
    timer = setTimeout(() => void work(), wait);
    timer.unref();
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: BEAT * 10 });
    fresh.on('error', () => leave(fresh));
    fresh.on('end', () => leave(fresh));
    fresh.on('notification', ({ channel, payload = '' }) => {
      if (channel !== own) return changed(payload.length < LONGEST ? payload : undefined);
      confirmedAt = Number(payload);
      missingSince = undefined;
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}; listen ${own}`);
      if (closed) return await fresh.end();
      client = fresh;
      connections += 1;
      changed(undefined);
      await beat(performance.now());
    } catch {
      fresh.end().catch(() => {});
      later(connect, RETRY);
    }
  }

  function leave(left: pg.Client): void {
    if (client !== left) return;
    client = undefined;
    confirmedAt = Number.NEGATIVE_INFINITY;
    missingSince = undefined;
  }

  async function beat(since: number): Promise<void> {
    if (!client) return later(connect, RETRY);
    const now = performance.now();
    if (confirmedAt > Number.NEGATIVE_INFINITY && now - (missingSince ?? now) > STALE) {
      const left = client;
      leave(left);
      left.connection.stream.destroy();
      return connect();
    }
    try {
      missingSince ??= now;
      await sql`select pg_notify(${own}, ${String(now)})`.execute(db);
    } catch {
      // It does not come back then.
      missingSince = undefined;
    }
    const silent = confirmedAt === Number.NEGATIVE_INFINITY && now - since > PATIENCE;
    later(() => beat(since), silent ? PATIENCE : BEAT);
  }

  return {
    epoch() {
      if (!started) {
        started = true;
        void connect();
      }
      const now = performance.now();
      return now - confirmedAt < TRUST ? -connections : Math.floor(now / SHORT_LIFE);
    },
    listen: (onChange) => void listeners.push(onChange),
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
