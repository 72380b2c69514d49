import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { WorldAnswer, WorldRequest } from './answer.ts';

/** Answers a request that came from an address. */
export type Answer = (request: WorldRequest, ip: string | undefined) => Promise<WorldAnswer>;

/**
 * A world behind node:http. Unlike adapters made for production it leaves what is broken broken: a network error closes
 * the connection without a word, and a body that fails cuts it.
 */
export function createHttpDoor(answer: Answer): Server {
  return createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort(new DOMException('The client went away.', 'AbortError'));
    });
    try {
      const given = await answer(requestOf(incoming, gone.signal), incoming.socket.remoteAddress);
      if (given.status === 0) outgoing.destroy();
      else await send(given, outgoing);
    } catch {
      outgoing.destroy();
    }
  });
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): WorldRequest {
  const { method = 'GET', url = '/' } = incoming;
  // Doubled headers are joined, as the Fetch standard joins them.
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) headers[name] = values.join(', ');
  return {
    method,
    headers,
    signal,
    url: `http://${headers['host'] ?? 'localhost'}${url}`,
    header: (name) => headers[name] ?? null,
    body: (limit) => bytesOf(incoming, limit),
  };
}

/** The bytes of a body; one that is too long is read to its end as well, so that the answer is heard. */
async function bytesOf(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

async function send({ status, headers, body }: WorldAnswer, outgoing: ServerResponse): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    const length = body !== null && { 'content-length': Buffer.byteLength(body) };
    outgoing.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
    return;
  }
  // Headers go out at once: a body that stalls must not hold them back.
  outgoing.writeHead(status, headers).flushHeaders();
  for await (const chunk of body) {
    if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve).once('close', resolve));
  }
  outgoing.end();
}
