import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request that a test server saw. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real server on a port of its own, which ends with the test. */
export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
}

/** Serves by a function of the request; `nth` is 0 for the first request. */
export async function serve(
  answer: (request: Seen, response: ServerResponse, nth: number) => void,
): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    answer(one, response, seen.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
  response.end(JSON.stringify(body));
}

/** The error envelope of the API. */
export function envelope(statusCode: number, code: string, more: Record<string, unknown> = {}): unknown {
  const retryable = statusCode >= 500 || statusCode === 429;
  const docs = `https://docs.example/errors/${code}`;
  const error = {
    message: `${code} happened`,
    code,
    type: 'test',
    statusCode,
    retryable,
    requestId: 'req_e',
    docs,
    ...more,
  };
  return { success: false, error };
}
