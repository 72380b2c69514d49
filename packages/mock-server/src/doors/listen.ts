import type { AddressInfo } from 'node:net';
import { CORS } from '@broadsheet/core';
import { answerControl, CONTROL_PATH } from '../control/answer.ts';
import { check } from '../worlds/checks.ts';
import type { InnerMock, Listening, ListenOptions } from '../worlds/mock.ts';
import type { WorldAnswer } from './answer.ts';
import { createHttpDoor } from './http-door.ts';

/** Serves a mock over HTTP: the API, and the control plane below `/__mock`. */
export async function listen(mock: InnerMock, docsUrl: string, options: ListenOptions): Promise<Listening> {
  check('mock.listen', options);
  const { port = 0, host = '127.0.0.1', worlds = () => ({}), allowOrigins = [] } = options;
  for (const origin of allowOrigins) check('visitAs', { origin });
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`mock.listen: port must be an integer from 0 to 65535; received ${port}`);
  }
  const path = new URL(mock.baseUrl).pathname.replace(/\/$/, '');
  const server = createHttpDoor(async (request, ip) => {
    const { origin = '', pathname = '' } = URL.canParse(request.url) ? new URL(request.url) : {};
    if (pathname === CONTROL_PATH || pathname.startsWith(`${CONTROL_PATH}/`)) {
      return answerControl(mock, request, { worlds, allowOrigins });
    }
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const describes = pathname === '/openapi.json' || pathname === `${path}/openapi.json`;
    return reads && describes ? described(`${origin}${path}`) : mock.respond(request, { ip });
  }, docsUrl);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE' ? 'it is taken; choose another, or 0 for a free one' : cause.message;
      reject(new Error(`mock.listen: cannot listen on port ${port} of ${host}: ${taken}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  const authority = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${authority}:${actual}${path}`, port: actual, close, [Symbol.asyncDispose]: close };
}

/** The OpenAPI document of the API, which needs no key. */
async function described(baseUrl: string): Promise<WorldAnswer> {
  const { openapi } = await import('@broadsheet/contract/schemas');
  const headers = { ...CORS, 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(openapi({ baseUrl })) };
}
