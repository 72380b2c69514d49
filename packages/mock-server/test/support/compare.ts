import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ParityOptions, type ParityReport, parity } from '../../src/cli/parity.ts';
import { createMock } from '../../src/node.ts';
import type { Mock } from '../../src/worlds/mock.ts';

/** Compares a mock with the blog of another. */
export async function compare(mock: Mock, options: Partial<ParityOptions> = {}) {
  await using server = await mock.listen();
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const report = await parity({ url: server.url, apiKey: mock.main.apiKey, clicks: false, write, ...options });
  return { report, lines, text: lines.join('\n') };
}

/** The promises that the mock or the server does not keep. */
export const differing = ({ promises }: ParityReport) =>
  promises.filter(({ live, mock }) => live === 'fails' || mock === 'fails');

/** Changes a response of a mock; `send` asks the mock for more. */
export type Change = (response: Response, request: Request, send: typeof fetch) => Promise<Response>;

/** Serves a mock that passes its responses through a function, to act as another implementation of the API. */
export async function serveOther(change: Change) {
  const mock = createMock();
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const request = new Request(`${mock.baseUrl}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: new Headers(incoming.headers as Record<string, string>),
      ...(body.length > 0 && { body }),
    });
    const response = await change(await mock.fetch(request), request, mock.fetch).catch(() => undefined);
    if (!response) return void incoming.socket.destroy();
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (options: Partial<ParityOptions> = {}) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const report = await parity({ url, apiKey: mock.main.apiKey, clicks: false, write, ...options });
    return { report, text: lines.join('\n') };
  };
  return { run, [Symbol.asyncDispose]: async () => void server.close() };
}

/** A response with another body. */
export const changed = async (response: Response, change: (body: never) => unknown): Promise<Response> => {
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const none = text === '' || [204, 304].includes(response.status);
  return new Response(none ? null : JSON.stringify(change(JSON.parse(text) as never)), {
    status: response.status,
    headers,
  });
};
