import { Worker } from 'node:worker_threads';
import { removeAbandonedFolders } from '../imports/folders.ts';
import type { PanelOptions } from '../panel-options.ts';
import type { AnswerMessage, LogMessage, RequestMessage, ThreadOptions } from './messages.ts';
import { receiveStream, sendStream } from './port-stream.ts';

/** The panel in a thread of its own. */
export interface PanelThread {
  /** @throws Error when the thread ends before it has answered */
  fetch(request: Request): Promise<Response>;
  /** Closes its database and ends it. */
  close(): Promise<void>;
}

const IS_SOURCE = import.meta.url.endsWith('.ts');
const SCRIPT = new URL(IS_SOURCE ? './panel-thread.ts' : './panel-thread.js', import.meta.url);
/** Statuses of answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
/** Milliseconds after which a thread that does not close is terminated. */
const CLOSING = 3000;

/** Milliseconds of uninterrupted work after which the thread is terminated: everybody else waits for it. */
const PATIENCE = 30_000;
/** Pings without a response after which the thread counts as hanging. */
const PINGS = 5;

/** What the thread is started with. */
interface ThreadSettings extends ThreadOptions {
  readonly log: PanelOptions['log'];
  /** The program of the thread, and its {@link PATIENCE}; others in tests. */
  readonly script?: URL;
  readonly patience?: number;
}

/** Starts the thread; it keeps no process alive. `onEnd` is called when it ended without being closed. */
export function startThread(settings: ThreadSettings, onEnd: () => void): PanelThread {
  const { databaseUrl, publicUrl, log, script = SCRIPT, patience = PATIENCE } = settings;
  const worker = new Worker(script, {
    workerData: { databaseUrl, publicUrl } satisfies ThreadOptions,
    ...(IS_SOURCE && { execArgv: ['--conditions=@broadsheet/source'] }),
  });
  worker.unref();
  const { threadId } = worker;
  const waiting = new Map<number, PromiseWithResolvers<Response>>();
  let requests = 0;
  let closing = false;
  let pings = 0;
  const ended = new Promise<void>((resolve) => worker.on('exit', () => resolve()));
  const watch = setInterval(() => {
    if (waiting.size === 0) return;
    pings += 1;
    if (pings <= PINGS) return worker.postMessage('ping');
    log?.error({ patience }, 'the thread of the panel does not respond and is terminated');
    void worker.terminate();
  }, patience / PINGS).unref();

  worker.on('message', (message: AnswerMessage | LogMessage | 'pong') => {
    pings = 0;
    if (message === 'pong') return;
    if ('level' in message) return log?.[message.level](message.fields, message.message);
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    request?.resolve(toResponse(message.answer));
  });
  worker.on('error', (cause) => log?.error({ cause }, 'the thread of the panel failed'));
  worker.on('exit', () => {
    // Its imports cannot clean up after themselves.
    void removeAbandonedFolders(threadId).catch(() => {});
    clearInterval(watch);
    if (!closing) onEnd();
    for (const request of waiting.values()) request.reject(new Error('The thread of the panel ended.'));
    waiting.clear();
  });

  return {
    fetch(request) {
      const answered = Promise.withResolvers<Response>();
      const id = requests++;
      waiting.set(id, answered);
      const { method, url, headers } = request;
      const body = request.body ? sendStream(request.body) : undefined;
      const message: RequestMessage = { id, method, url, headers: [...headers], body };
      worker.postMessage(message, body ? [body] : []);
      return answered.promise;
    },
    async close() {
      closing = true;
      // The caller that waits for its end may have nothing else to do.
      worker.ref();
      // Work that is still under way, such as an import, has had its time: its transaction is undone.
      if (waiting.size > 0) void worker.terminate();
      else worker.postMessage('close');
      const late = setTimeout(() => void worker.terminate(), CLOSING);
      await ended;
      clearTimeout(late);
    },
  };
}

function toResponse({ status, headers, body }: AnswerMessage['answer']): Response {
  // As one object: headers that are added to a finished response come on top of a default content type.
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  if (body && EMPTY.has(status)) body.close();
  return new Response(body && !EMPTY.has(status) ? receiveStream(body) : null, { status, headers: all });
}
