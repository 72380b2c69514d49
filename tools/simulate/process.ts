import { createHmac } from 'node:crypto';
import type { Visits } from '../law/law.ts';
import type { Random } from '../prove/random.ts';
import { uuidFrom } from './globals.ts';
import { type ApiRequest, type BlogApi, buffered, createApi, openStore, type SqlStore } from './product.ts';
import type { Recorder } from './recorder.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** A request of a client. */
export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly ip: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProcessOptions {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly file: string;
  /** Milliseconds by which its clock is ahead. */
  readonly skew: number;
  readonly recorder: Recorder;
}

/** An error of SQLite for a disk that is full. */
const fullDisk = () => Object.assign(new Error('database or disk is full'), { errcode: 13 });
const WRITES = /^\s*(insert|update|delete|commit)/i;

/** A server process: the API over a store of its own, which can be killed at every statement. */
export class SimulatedProcess implements Life {
  isAlive = true;
  /** The number of its latest commit among those of all processes. */
  lastCommit = 0;
  /** The requests of visitors that it has seen within a minute. */
  readonly visits: Visits = new Map();
  /** The statements that fail because the disk is full. */
  fullFor = 0;
  /** How many statements failed because of that: requests may then get a 503. */
  wasFull = 0;
  /** The commands that it runs. */
  commands = 0;
  /** The statements after which it may be killed. */
  killAfter = Number.POSITIVE_INFINITY;
  onKill: () => boolean = () => false;
  readonly #options: ProcessOptions;
  readonly #connections: { close(): void }[] = [];
  readonly #lost = new Set<() => void>();
  store: SqlStore | undefined;
  #api: BlogApi | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  now(): number {
    return this.#options.scheduler.now + this.#options.skew;
  }

  async start(): Promise<void> {
    const { scheduler, random, file, recorder } = this.#options;
    const store = await openStore(`sqlite:${file}`, {
      secret: 'simulated',
      runtime: {
        now: () => this.now(),
        monotonic: () => scheduler.now,
        later: (work, milliseconds) => scheduler.later(this, milliseconds, work),
        turn: (work) => scheduler.add(this, 'turn', work),
        statement: (text, run) => this.#runStatement(text, run),
        opened: (connection) => void this.#connections.push(connection),
      },
    });
    this.store = store;
    this.#api = createApi({
      store: recorder.record(store, this),
      ...{ clock: { now: () => this.now() }, docsUrl: 'https://docs.example' },
      random: { uuid: () => uuidFrom(random), below: random.below },
      isBot: (name) => name.includes('bot'),
      hmac: (text) => createHmac('sha256', 'simulated').update(text).digest('base64url'),
    });
  }

  async #runStatement(text: string, run: () => unknown[]): Promise<unknown[]> {
    const { recorder } = this.#options;
    await this.#point();
    if (this.fullFor > 0 && WRITES.test(text)) {
      this.fullFor -= 1;
      this.wasFull += 1;
      throw fullDisk();
    }
    const rows = run();
    if (text === 'commit') {
      this.lastCommit = recorder.nextCommit();
      // The answer of a commit may be lost.
      await this.#point();
    }
    return rows;
  }

  /** A moment at which another process may run, and at which this one may be killed. */
  async #point(): Promise<void> {
    await new Promise<void>((resolve) => this.#options.scheduler.add(this, 'statement', resolve));
    this.killAfter -= 1;
    // Nothing of this process goes on after this.
    if (this.killAfter < 0 && this.onKill()) await new Promise(() => {});
  }

  /** Handles a request; `undefined` when the process is killed before its response. */
  async handle({ path, headers, body, ip }: SentRequest): Promise<Reply | undefined> {
    const api = this.#api;
    if (!this.isAlive || !api) return undefined;
    const bytes = new TextEncoder().encode(body ?? '');
    const request: ApiRequest = {
      ...{ method: body === undefined ? 'GET' : 'POST', url: `https://api.example${path}` },
      header: (name) => headers[name] ?? null,
      body: async (limit) => (bytes.length > limit ? undefined : bytes),
    };
    const killed = Promise.withResolvers<undefined>();
    const lose = () => killed.resolve(undefined);
    this.#lost.add(lose);
    const handled = api.handle(request, { ip }).then((response) => {
      const { status, headers: received, body: content } = buffered(response);
      const text = typeof content === 'string' ? content : new TextDecoder().decode(content ?? new Uint8Array());
      return { status, headers: received, body: text };
    });
    try {
      return await Promise.race([handled, killed.promise]);
    } finally {
      this.#lost.delete(lose);
    }
  }

  /** Ends the process at once: open transactions are rolled back, and nothing that it scheduled happens. */
  kill(): void {
    this.isAlive = false;
    for (const connection of this.#connections) connection.close();
    for (const lose of this.#lost) lose();
  }
}
