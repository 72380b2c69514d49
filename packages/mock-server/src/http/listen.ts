import type { AddressInfo } from 'node:net';
import { answerControl, CONTROL_PATH } from '../control/answer.ts';
import type { InnerMock } from '../mock.ts';
import type { WorldOptions } from '../world.ts';
import { createDoor } from './node-door.ts';

/**
 * Where to listen.
 *
 * @example
 * ```ts
 * const everywhere: ListenOptions = { host: '0.0.0.0', port: 4510 };
 * await mock.listen(everywhere);
 * ```
 */
export interface ListenOptions {
  /** 0, a free one, by default. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** How time runs in worlds that are made over HTTP and do not say so; asked for each, by default virtual. */
  readonly worlds?: () => Pick<WorldOptions, 'pace' | 'start'>;
}

/**
 * A mock that listens.
 *
 * @example
 * ```ts
 * await using server: Listening = await mock.listen();
 * const answer = await fetch(`${server.url}/public/tags`);
 * ```
 */
export interface Listening {
  /** Base URL of the API, with the path of the mock's own. */
  readonly url: string;
  readonly port: number;
  /** Closes every connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a mock over HTTP: the API, and the control plane below `/__mock`. */
export async function listen(
  mock: InnerMock,
  { port = 0, host = '127.0.0.1', worlds = () => ({}) }: ListenOptions = {},
): Promise<Listening> {
  const server = createDoor((request, ip) => {
    const { pathname } = new URL(request.url);
    const control = pathname === CONTROL_PATH || pathname.startsWith(`${CONTROL_PATH}/`);
    return control ? answerControl(mock, request, worlds) : mock.answer(request, { ip });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE' ? 'it is taken; choose another, or 0 for a free one' : cause.message;
      reject(new Error(`mock.listen: cannot listen on port ${port} of ${host}: ${taken}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const path = new URL(mock.baseUrl).pathname.replace(/\/$/, '');
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  const authority = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${authority}:${actual}${path}`, port: actual, close, [Symbol.asyncDispose]: close };
}
