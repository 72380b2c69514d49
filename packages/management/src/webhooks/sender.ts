import { signedContent, WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX } from '@broadsheet/contract';
import type { Clock } from '@broadsheet/core';
import type { DueMessage, OutboxReader, SendRequest } from '@broadsheet/store';
import { fromBase64, toBase64 } from '@broadsheet/store';
import { Shares } from './shares.ts';

interface SenderOptions {
  readonly outbox: OutboxReader;
  readonly send: SendRequest;
  readonly clock: Clock;
  readonly report: (message: string, cause: unknown) => void;
  /** The maximum number of requests of {@link WebhookSender.sendDue}; unlimited by default. */
  readonly maxRequests?: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Milliseconds from a failed attempt to the next one. */
const RETRIES = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
/** Milliseconds between two polls of the outbox. */
const POLL = 500;
/** Milliseconds after which the lease is renewed, and after which a lease that was not renewed is taken over. */
const RENEW = 1000;
const LEASE = 3000;
/** The status with which a receiver reports that it no longer exists. */
const GONE = 410;
/** Milliseconds that requests have to finish when the process stops. */
const PATIENCE = 5000;

/**
 * Sends the messages of the outbox. Several processes may do so over one database: the one that holds the lease sends.
 * A message stays in the outbox until its attempt is recorded, so a process that is killed loses none.
 */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #holder = crypto.randomUUID();
  readonly #stop = new AbortController();
  /** The messages that can be sent, and those that are being sent. */
  #queue: readonly DueMessage[] = [];
  readonly #sending = new Map<string, Promise<void>>();
  readonly #shares = new Shares();
  #started = 0;
  /** Messages that were recorded since the outbox was read. */
  readonly #recorded = new Set<string>();
  /** When messages were first seen: `outbox.delay` later, every process shows the change that a message reports. */
  readonly #seen = new Map<string, number>();
  /** The blogs whose due posts could not be published in the last round. */
  #unpublished: ReadonlySet<string> = new Set();
  #running: Promise<void> | undefined;
  #stopped = false;
  #wake = () => {};
  /**
   * When this process renewed the lease; otherwise the beat of the other holder, and the time since which it is
   * unchanged.
   */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #other: { readonly beat: number; readonly since: number } | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    options.outbox.listen(() => this.#wake());
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Sends what is due, instead of {@link start}, and resolves when it is recorded. */
  async sendDue(): Promise<void> {
    do {
      await this.#round();
      await Promise.all(this.#sending.values());
    } while (this.#recorded.size > 0 && this.#mayStart());
    await this.#free();
  }

  #mayStart(): boolean {
    return this.#started < (this.#options.maxRequests ?? Number.POSITIVE_INFINITY);
  }

  /** Finishes the requests in flight. Another process sends those again that take too long. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
    const late = setTimeout(() => this.#stop.abort(), PATIENCE);
    await Promise.all(this.#sending.values());
    clearTimeout(late);
    await this.#free().catch(() => {});
  }

  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#stopped) {
      let pause = POLL;
      try {
        pause = await this.#round();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#options.report('Webhooks are delayed because the outbox cannot be read', error);
        isFailing = true;
      }
      await this.#wait(pause);
    }
  }

  async #wait(pause: number): Promise<void> {
    if (this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  /** Reads what is due and starts it; returns the milliseconds until the next round. */
  async #round(): Promise<number> {
    const { outbox, clock } = this.#options;
    const now = clock.now();
    this.#reportUnpublished(await outbox.publishDuePosts(now));
    this.#recorded.clear();
    const due = await outbox.due(now, this.#shares);
    this.#queue = due.filter(({ id }) => !this.#sending.has(id) && !this.#recorded.has(id));
    if (this.#queue.length === 0 && this.#sending.size === 0) {
      this.#seen.clear();
      await this.#free();
      return POLL;
    }
    return (await this.#hold()) ? this.#startQueued() : POLL;
  }

  /** Reports blogs whose due posts cannot be published, each once until it works again. */
  #reportUnpublished(failed: ReadonlyMap<string, unknown>): void {
    for (const [blogId, error] of failed) {
      if (this.#unpublished.has(blogId)) continue;
      this.#options.report(`The due posts of the blog ${JSON.stringify(blogId)} cannot be published yet`, error);
    }
    this.#unpublished = new Set(failed.keys());
  }

  /** Starts sending the queued messages that may be sent; returns the milliseconds until more may be ready. */
  #startQueued(): number {
    let pause = POLL;
    const isMine = performance.now() - this.#renewedAt < LEASE;
    this.#queue = this.#queue.filter((message) => {
      const wait = this.#waitFor(message);
      if (wait > 0) pause = Math.min(pause, wait);
      if (!isMine || wait > 0 || !this.#mayStart()) return true;
      if (!this.#shares.hasRoom(message) || this.#shares.isSending(message)) return true;
      this.#start(message);
      return false;
    });
    return pause;
  }

  /** Milliseconds until every process shows the change that a message reports; a test reports none. */
  #waitFor({ id, attempts, isTest }: DueMessage): number {
    if (isTest || attempts.length > 0) return 0;
    const now = performance.now();
    const seen = this.#seen.get(id) ?? now;
    this.#seen.set(id, seen);
    return seen + this.#options.outbox.delay - now;
  }

  /** Whether this process may send. */
  async #hold(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#renewedAt < RENEW) return true;
    const stale = this.#other && now - this.#other.since >= LEASE ? this.#other.beat : undefined;
    const { isMine, beat } = await this.#options.outbox.take(this.#holder, stale);
    this.#renewedAt = isMine ? now : Number.NEGATIVE_INFINITY;
    if (isMine) this.#other = undefined;
    else if (this.#other?.beat !== beat) this.#other = { beat, since: performance.now() };
    return isMine;
  }

  async #free(): Promise<void> {
    if (this.#renewedAt === Number.NEGATIVE_INFINITY) return;
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    await this.#options.outbox.free(this.#holder);
  }

  #start(message: DueMessage): void {
    const { id, blogId, hookId } = message;
    this.#seen.delete(id);
    this.#started += 1;
    this.#shares.add(message, 1);
    const done = this.#deliver(message).then((status) => {
      this.#shares.add(message, -1);
      this.#sending.delete(id);
      this.#recorded.add(id);
      // Further messages that were read for a receiver that is gone are not sent.
      if (status === GONE) {
        this.#queue = this.#queue.filter((other) => other.blogId !== blogId || other.hookId !== hookId);
      }
      if (this.#queue.length === 0) this.#wake();
      else if (!this.#stopped) this.#startQueued();
    });
    this.#sending.set(id, done);
  }

  /** Sends a message and records the attempt; resolves with the status of the response, or with 0 if there is none. */
  async #deliver(message: DueMessage): Promise<number> {
    const { outbox, send, clock, report } = this.#options;
    const { url, body, attempts, isTest } = message;
    const [at, began] = [clock.now(), performance.now()];
    const response = await headersOf(message, at)
      .then((headers) => send(url, { headers, body, signal: this.#stop.signal }))
      .catch((error: unknown) => ({ text: error instanceof Error ? error.message : String(error) }));
    // Requests that were aborted by the stop are sent again.
    if (this.#stop.signal.aborted) return 0;
    const attempt = { at: new Date(at).toISOString(), duration: Math.round(performance.now() - began), ...response };
    const status = 'status' in response ? response.status : 0;
    const isFinal = isTest || (status >= 200 && status < 300) || status === GONE;
    const retry = isFinal ? undefined : RETRIES[attempts.length];
    for (;;) {
      try {
        await outbox.record(message, attempt, retry === undefined ? null : clock.now() + retry);
        return status;
      } catch (error) {
        report('The response of a webhook could not be recorded', error);
        if (this.#stopped) return status;
        await new Promise((resolve) => setTimeout(resolve, POLL));
      }
    }
  }
}

/** The headers of a request, with a signature for each secret. */
async function headersOf({ id, secrets, body }: DueMessage, at: number): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / SECOND);
  const content = new TextEncoder().encode(signedContent(id, timestamp, body));
  const signatures = secrets.map(async (secret) => {
    const bytes = fromBase64(secret.slice(WEBHOOK_SECRET_PREFIX.length));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)))}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Broadsheet-Webhooks',
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.signature]: (await Promise.all(signatures)).join(' '),
  };
}
