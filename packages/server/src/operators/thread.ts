import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { OperatorsOptions } from './operators-options.ts';
import { receiveStream, sendStream } from './port-stream.ts';

export interface ThreadOptions extends Pick<OperatorsOptions, 'publicUrl' | 'secret'> {
  readonly databaseUrl: string;
  readonly statementTimeout?: number | undefined;
}

type HeaderList = [name: string, value: string][];

/** A request to the thread; its body is read through a port. */
export interface RequestMessage {
  /** The port to which the response is sent; it is closed when the client of the request is gone. */
  readonly reply: MessagePort;
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: MessagePort | undefined;
}

export interface ResponseMessage {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: MessagePort | undefined;
}

export interface LogMessage {
  readonly level: 'info' | 'error';
  readonly fields: object;
  readonly message: string;
}

const IS_SOURCE = import.meta.url.endsWith('.ts');
const SCRIPT = new URL(IS_SOURCE ? './worker.ts' : './operators-worker.js', import.meta.url);
/** Milliseconds after which a thread that does not close is terminated. */
export const CLOSING = 3000;

/** Milliseconds of uninterrupted work after which the thread is terminated, because all its other requests wait. */
export const PATIENCE = 30_000;
/** Pending pings after which the thread counts as hanging. */
const PINGS = 5;

/** Milliseconds before a restart: doubled each time, until a thread has run for {@link STABLE}. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
const STABLE = 60_000;

interface ThreadSettings extends ThreadOptions {
  readonly log?: OperatorsOptions['log'];
  /** The script of the thread and its {@link PATIENCE}; tests set others. */
  readonly script?: URL;
  readonly patience?: number;
}

/**
 * The panel and `/manage` in their own thread, which is started when it is needed and does not keep the process alive. If it ends, it is
 * restarted after a growing pause, so that a request that crashes it every time cannot keep the machine busy.
 */
export class OperatorsThread {
  restarts = 0;
  readonly #settings: ThreadSettings;
  #worker: Worker | undefined;
  /** The number of requests that have no response yet. */
  #waiting = 0;
  #pause = 0;
  #startAt = 0;

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  /** Responds with 503 while the thread waits to be restarted, and if it ends before it has responded. */
  async fetch(request: Request): Promise<Response> {
    const seconds = Math.ceil((this.#startAt - performance.now()) / 1000);
    if (!this.#worker && seconds > 0) return unavailable(seconds);
    this.#worker ??= this.#start();
    this.#waiting += 1;
    try {
      return await send(this.#worker, request);
    } catch (cause) {
      if (!request.signal.aborted) this.#settings.log?.error({ cause }, 'a request for the panel failed');
      return unavailable(1);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Closes its database and ends it. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#pause = 0;
    if (!worker) return;
    // Keeps the process alive until the thread has closed.
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    // A request that is still running, such as an import, is not waited for: its transaction is rolled back.
    if (this.#waiting > 0) void worker.terminate();
    else worker.postMessage('close');
    const late = setTimeout(() => void worker.terminate(), CLOSING);
    await ended;
    clearTimeout(late);
  }

  #start(): Worker {
    const { log, script = SCRIPT, patience = PATIENCE } = this.#settings;
    const { databaseUrl, statementTimeout, publicUrl, secret } = this.#settings;
    if (this.#pause > 0) log?.error({ restarts: ++this.restarts }, 'the thread of the panel is restarted');
    const startedAt = performance.now();
    const worker = new Worker(script, {
      workerData: { databaseUrl, statementTimeout, publicUrl, secret } satisfies ThreadOptions,
      ...(IS_SOURCE && { execArgv: ['--conditions=@broadsheet/source'] }),
    });
    worker.unref();
    terminateWhenHanging(worker, patience, () => this.#waiting > 0, log);
    worker.on('message', (message: LogMessage | 'pong') => {
      if (message !== 'pong') log?.[message.level](message.fields, message.message);
    });
    worker.on('error', (cause) => log?.error({ cause }, 'the thread of the panel failed'));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const now = performance.now();
      const isStable = now - startedAt > STABLE;
      this.#pause = isStable ? FIRST_PAUSE : Math.min(Math.max(this.#pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
      this.#startAt = now + this.#pause;
      log?.error({ pause: this.#pause }, 'the thread of the panel ended unexpectedly');
    });
    return worker;
  }
}

/** @throws Error if the client is gone, or the thread has ended, before the response */
function send(worker: Worker, { method, url, headers, body: stream, signal }: Request): Promise<Response> {
  const { port1: port, port2: reply } = new MessageChannel();
  const body = stream ? sendStream(stream) : undefined;
  const message: RequestMessage = { reply, method, url, headers: [...headers], body };
  worker.postMessage(message, body ? [reply, body] : [reply]);
  signal.addEventListener('abort', () => port.close());
  return new Promise((resolve, reject) => {
    port.once('message', ({ status, headers, body }: ResponseMessage) =>
      resolve(new Response(body ? receiveStream(body) : null, { status, headers })),
    );
    port.once('close', () => reject(new Error('The thread of the panel ended.')));
  });
}

function unavailable(seconds: number): Response {
  const headers = { 'retry-after': String(seconds) };
  return new Response('The panel is not available at the moment. Try again.\n', { status: 503, headers });
}

/** Pings a thread that has requests to handle, and terminates it if it does not respond within `patience`. */
function terminateWhenHanging(
  worker: Worker,
  patience: number,
  isBusy: () => boolean,
  log: OperatorsOptions['log'],
): void {
  let pings = 0;
  const watch = setInterval(() => {
    if (!isBusy()) return;
    pings += 1;
    if (pings <= PINGS) return worker.postMessage('ping');
    log?.error({ patience }, 'the thread of the panel does not respond and is terminated');
    void worker.terminate();
  }, patience / PINGS).unref();
  worker.on('message', () => {
    pings = 0;
  });
  worker.on('exit', () => clearInterval(watch));
}
