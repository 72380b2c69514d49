import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Answers a request that came from an address. */
export type Answer = (request: Request, ip: string | undefined) => Promise<Response>;

/**
 * A Fetch function behind node:http. Unlike adapters made for production it keeps what is broken broken: a network
 * error closes the connection without a word, and a body that fails cuts it.
 */
export function createDoor(answer: Answer): Server {
  return createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort(new DOMException('The client went away.', 'AbortError')));
    try {
      const response = await answer(await requestOf(incoming, gone.signal), incoming.socket.remoteAddress);
      if (response.type === 'error') throw response;
      await send(response, outgoing);
    } catch {
      outgoing.destroy();
    }
  });
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await bytesOf(incoming);
  return new Request(`http://${headers.host ?? 'localhost'}${url}`, {
    method,
    headers: headersOf(incoming),
    signal,
    ...(body && body.length > 0 && { body }),
  });
}

function headersOf({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
}

async function bytesOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return new Uint8Array(Buffer.concat(pieces));
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  // Headers go out at once: a body that stalls must not hold them back.
  if (response.body && !response.headers.has('content-length')) {
    outgoing.flushHeaders();
    for await (const piece of response.body) {
      if (!outgoing.write(piece))
        await new Promise((resolve) => outgoing.once('drain', resolve).once('close', resolve));
    }
  }
  outgoing.end();
}
