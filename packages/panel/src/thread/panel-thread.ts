// The thread in which the panel runs: what a page reads and draws holds up no answer of the API.
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '@broadsheet/management/node';
import { registerJsx } from '../register-jsx.ts';
import type { AnswerMessage, LogMessage, RequestMessage, ThreadOptions } from './messages.ts';
import { receiveStream, sendStream } from './port-stream.ts';

/** Connections to PostgreSQL, in use while somebody looks at the panel. */
const CONNECTIONS = 3;

const port = parentPort;
if (!port) throw new Error('The thread of the panel is started by createPanel.');
const { databaseUrl, publicUrl }: ThreadOptions = workerData;

const log = (level: LogMessage['level']) => (fields: object, message: string) =>
  port.postMessage({ level, fields, message } satisfies LogMessage);

if (import.meta.url.endsWith('.ts')) await registerJsx();
const { createApp } = await import('../app.ts');
const store = await openStore(databaseUrl, { create: false, poolSize: CONNECTIONS });
const app = createApp({ store, publicUrl, log: { info: log('info'), error: log('error') } });

port.on('message', async (message: RequestMessage | 'close') => {
  if (message === 'close') {
    await store.close();
    return port.close();
  }
  const { id, method, url, headers, body } = message;
  const request = new Request(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    ...(body && { body: receiveStream(body), duplex: 'half' }),
  });
  const response = await app.fetch(request);
  const sent = response.body ? sendStream(response.body) : undefined;
  const answer = { status: response.status, headers: [...response.headers], body: sent };
  port.postMessage({ id, answer } satisfies AnswerMessage, sent ? [sent] : []);
});
