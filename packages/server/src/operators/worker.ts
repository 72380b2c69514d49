// What runs in the thread of the panel and of /manage, so that they do not delay the API.
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '@broadsheet/store/node';
import { createHandler } from './handler.ts';
import { receiveStream, sendStream } from './port-stream.ts';
import type { LogMessage, RequestMessage, ResponseMessage, ThreadOptions } from './thread.ts';

/** Connections to PostgreSQL, open while the panel is in use. */
const CONNECTIONS = 3;

const port = parentPort;
if (!port) throw new Error('The thread of the panel is started by createOperators.');
const { databaseUrl, statementTimeout, publicUrl, secret }: ThreadOptions = workerData;

const log = (level: LogMessage['level']) => (fields: object, message: string) =>
  port.postMessage({ level, fields, message } satisfies LogMessage);

const store = await openStore(databaseUrl, {
  create: false,
  poolSize: CONNECTIONS,
  secret,
  ...(statementTimeout !== undefined && { statementTimeout }),
});
const handle = createHandler({ store, publicUrl, log: { info: log('info'), error: log('error') } });

port.on('message', async (message: RequestMessage | 'ping' | 'close') => {
  if (message === 'ping') return port.postMessage('pong');
  if (message === 'close') {
    await store.close();
    return port.close();
  }
  const { status, headers, body } = await respond(message);
  const sent = body ? sendStream(body) : undefined;
  const response: ResponseMessage = { status, headers: [...headers], body: sent };
  message.reply.postMessage(response, sent ? [sent] : []);
  message.reply.close();
});

/** Handles any request; catches every error, because an uncaught one would end the thread. */
async function respond({ reply, method, url, headers, body }: RequestMessage): Promise<Response> {
  const client = new AbortController();
  reply.on('close', () => client.abort());
  try {
    const { signal } = client;
    const request = { method, headers, signal, ...(body && { body: receiveStream(body), duplex: 'half' as const }) };
    return await handle(new Request(url, request));
  } catch (cause) {
    log('error')({ cause: String(cause) }, 'a request for the panel failed');
    return new Response('The panel could not handle this request.\n', { status: 500 });
  } finally {
    // The rest of the body is not needed; the other end cancels its source.
    body?.close();
  }
}
