import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { PanelOptions } from '../panel-options.ts';
import { receiveStream, sendStream } from './port-stream.ts';

export interface ThreadOptions extends Pick<PanelOptions, 'publicUrl' | 'secret'> {
  readonly databaseUrl: string;
  readonly statementTimeout?: number | undefined;
}

type HeaderList = [name: string, value: string][];

/** A request to the thread; its body is read through a port. */
export interface RequestMessage {
  /** Where the response is sent; it is closed when the client of the request is gone. */
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
const SCRIPT = new URL(IS_SOURCE ? './panel-thread.ts' : './panel-thread.js', import.meta.url);
/** Milliseconds after which a thread that does not close is terminated. */
export const CLOSING = 3000;

/** Milliseconds of uninterrupted work after which the thread is terminated, because all its other requests wait. */
export const PATIENCE = 30_000;
/** Pending pings after which the thread counts as hanging. */
const PINGS = 5;

export interface ThreadSettings extends ThreadOptions {
  readonly log?: PanelOptions['log'];
  /** The script of the thread and its {@link PATIENCE}; tests set others. */
  readonly script?: URL;
  readonly patience?: number;
}

/** The panel in its own thread, which does not keep the process alive. */
export class PanelThread {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  /** The number of requests that have no response yet. */
  #waiting = 0;

  constructor({ log, script = SCRIPT, patience = PATIENCE, ...settings }: ThreadSettings) {
    const { databaseUrl, statementTimeout, publicUrl, secret } = settings;
    const worker = new Worker(script, {
      workerData: { databaseUrl, statementTimeout, publicUrl, secret } satisfies ThreadOptions,
      ...(IS_SOURCE && { execArgv: ['--conditions=@broadsheet/source'] }),
    });
    this.#worker = worker;
    worker.unref();
    terminateWhenHanging(worker, patience, () => this.#waiting > 0, log);
    worker.on('message', (message: LogMessage | 'pong') => {
      if (message !== 'pong') log?.[message.level](message.fields, message.message);
    });
    worker.on('error', (cause) => log?.error({ cause }, 'the thread of the panel failed'));
    this.ended = new Promise((resolve) => worker.on('exit', () => resolve()));
  }

  /** @throws Error if the client goes, or the thread ends, before it has responded */
  async fetch({ method, url, headers, body: stream, signal }: Request): Promise<Response> {
    const { port1: responded, port2: reply } = new MessageChannel();
    const body = stream ? sendStream(stream) : undefined;
    const message: RequestMessage = { reply, method, url, headers: [...headers], body };
    this.#worker.postMessage(message, body ? [reply, body] : [reply]);
    signal.addEventListener('abort', () => responded.close());
    this.#waiting += 1;
    try {
      return await new Promise((resolve, reject) => {
        responded.once('message', (response: ResponseMessage) => resolve(toResponse(response)));
        responded.once('close', () => reject(new Error('The thread of the panel ended.')));
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Closes its database and ends it. */
  async close(): Promise<void> {
    // Keeps the process alive until the thread has closed.
    this.#worker.ref();
    // A request that is still running, such as an import, is not waited for: its transaction is rolled back.
    if (this.#waiting > 0) void this.#worker.terminate();
    else this.#worker.postMessage('close');
    const late = setTimeout(() => void this.#worker.terminate(), CLOSING);
    await this.ended;
    clearTimeout(late);
  }
}

/** Pings a thread that has requests to handle, and terminates it if it does not respond within `patience`. */
function terminateWhenHanging(worker: Worker, patience: number, isBusy: () => boolean, log: PanelOptions['log']): void {
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

const toResponse = ({ status, headers, body }: ResponseMessage): Response =>
  new Response(body ? receiveStream(body) : null, { status, headers });
