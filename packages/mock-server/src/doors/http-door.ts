import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError, errorAnswer } from '@broadsheet/core';
import { listenToAll, nodeRequest } from '@broadsheet/http/node';
import type { WorldAnswer, WorldRequest } from './answer.ts';

/**
 * A world behind node:http. Unlike adapters made for production it leaves what is broken broken: a network error closes
 * the connection without a word, and a body that fails cuts it.
 */
export function createHttpDoor(
  answer: (request: WorldRequest, ip: string | undefined) => Promise<WorldAnswer>,
  docsUrl: string,
): Server {
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort(new DOMException('The client went away.', 'AbortError'));
    });
    try {
      const given = isGoodTarget(incoming)
        ? await answer(requestOf(incoming, gone.signal), incoming.socket.remoteAddress)
        : errorAnswer(BAD_TARGET, `req_${crypto.randomUUID()}`, docsUrl);
      if (given.status === 0) incoming.socket.destroy();
      else await send(given, outgoing);
    } catch {
      // Not the answer: Bun ends one that has not begun as an empty 200.
      incoming.socket.destroy();
    }
  };
  const server = createServer({ requireHostHeader: false });
  listenToAll(server, docsUrl, serve);
  return server;
}

const BAD_TARGET = new ApiError('VALIDATION_ERROR', {
  message: 'The request target or the Host header is not valid.',
});

/** A path, or the whole URL that a proxy is sent. */
const isGoodTarget = ({ url = '/' }: IncomingMessage): boolean => /^(\/|https?:\/\/)[^\\]*$/i.test(url);

function requestOf(incoming: IncomingMessage, signal: AbortSignal): WorldRequest {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(incoming.headers)) headers[name] = String(value);
  return { ...nodeRequest(incoming, headers['host']), headers, signal };
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
