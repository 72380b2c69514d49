import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Changes } from '../database.ts';
import type { Db } from '../sql.ts';

/**
 * The channel on which triggers name the blog of each row of `blogs` and `api_keys` that is written, unless only the
 * use of a key is recorded.
 */
const CHANNEL = 'broadsheet';
/**
 * The number of characters of a blog id that fit into a notification; a longer id is truncated, and stands for any
 * blog.
 */
const LONGEST = 1900;

/** Statements of the schema. */
export const CHANGES_SCHEMA = [
  `create function broadsheet_notify() returns trigger language plpgsql as $$
    begin
      perform pg_notify('${CHANNEL}', left(coalesce(new.blog_id, old.blog_id), ${LONGEST}));
      return null;
    end $$`,
  ...[
    ['blogs', 'update'],
    ['api_keys', 'update of revoked_at'],
  ].map(
    ([table, update]) => `create trigger ${table}_notify after insert or ${update} or delete on ${table}
      for each row execute function broadsheet_notify()`,
  ),
];

/** Milliseconds between two heartbeats, and how long one is trusted: a revoked key is refused within a second. */
const BEAT = 200;
const TRUST = 700;
/** Milliseconds for which cached reads are valid while changes are not reported. */
const SHORT_LIFE = 400;
/** Milliseconds that the server has to open a connection, and to respond to `listen`. */
const RESPONSE_TIMEOUT = 2000;
/** Milliseconds until another connection is tried, and until heartbeats are sent less often if none ever arrives. */
const RETRY = 500;
const PATIENCE = 5000;
/**
 * Milliseconds without a heartbeat, after earlier ones arrived, until the connection counts as dead and is replaced.
 */
const STALE = 2000;

/**
 * Listens on a separate connection, from the first read on. Heartbeats prove that notifications arrive: this process
 * notifies itself through another connection, and notifications of earlier commits arrive before the heartbeat. Without
 * heartbeats, because the connection is broken or a proxy does not forward notifications, cached reads expire soon.
 */
export class PostgresChanges implements Changes {
  readonly #db: Db;
  readonly #url: string;
  readonly #own = `broadsheet_${randomUUID().replaceAll('-', '')}`;
  readonly #listeners: ((blogId: string | undefined) => void)[] = [];
  #client: pg.Client | undefined;
  /** The number of connections so far: between two connections, notifications may be lost. */
  #connections = 0;
  #started = false;
  #closed = false;
  /** When the last heartbeat that has come back was sent. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** When the first heartbeat that has not come back was sent. */
  #missingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, url: string) {
    this.#db = db;
    this.#url = url;
  }

  /** The longer of `TRUST` and `SHORT_LIFE`, plus time for a notification to be handled. */
  readonly delay = 1000;

  readonly epoch = (): number => {
    if (!this.#started) {
      this.#started = true;
      void this.#connect();
    }
    const now = performance.now();
    return now - this.#confirmedAt < TRUST ? -this.#connections : Math.floor(now / SHORT_LIFE);
  };

  readonly listen = (onChange: (blogId: string | undefined) => void): void => void this.#listeners.push(onChange);

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  #changed(blogId: string | undefined): void {
    for (const listener of this.#listeners) listener(blogId);
  }

  #later(work: () => Promise<void>, wait: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void work(), wait);
    this.#timer.unref();
  }

  async #connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: RESPONSE_TIMEOUT,
      query_timeout: RESPONSE_TIMEOUT,
    });
    fresh.on('error', () => this.#leave(fresh));
    fresh.on('end', () => this.#leave(fresh));
    fresh.on('notification', ({ channel, payload = '' }) => {
      if (channel !== this.#own) return this.#changed(payload.length < LONGEST ? payload : undefined);
      this.#confirmedAt = Number(payload);
      this.#missingSince = undefined;
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}; listen ${this.#own}`);
      if (this.#closed) return await fresh.end();
      this.#client = fresh;
      this.#connections += 1;
      this.#changed(undefined);
      await this.#beat(performance.now());
    } catch {
      fresh.end().catch(() => {});
      this.#later(() => this.#connect(), RETRY);
    }
  }

  #leave(left: pg.Client): void {
    if (this.#client !== left) return;
    this.#client = undefined;
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    this.#missingSince = undefined;
  }

  async #beat(since: number): Promise<void> {
    const client = this.#client;
    if (!client) return this.#later(() => this.#connect(), RETRY);
    const now = performance.now();
    if (this.#confirmedAt > Number.NEGATIVE_INFINITY && now - (this.#missingSince ?? now) > STALE) {
      this.#leave(client);
      client.connection.stream.destroy();
      return this.#connect();
    }
    try {
      this.#missingSince ??= now;
      await this.#db`select pg_notify(${this.#own}, ${String(now)})`;
    } catch {
      // A heartbeat that was not sent cannot come back.
      this.#missingSince = undefined;
    }
    const silent = this.#confirmedAt === Number.NEGATIVE_INFINITY && now - since > PATIENCE;
    this.#later(() => this.#beat(since), silent ? PATIENCE : BEAT);
  }
}
