import type { Socket } from 'node:net';
import { Failure, failureAnswer } from '@broadsheet/core';
import { systemRandom } from '../ports/random.ts';

/**
 * Answers what the HTTP parser could not read, in the envelope like every other failure, and closes the connection:
 * where the next request would begin is unknown.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, docsUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = failureAnswer(failureOf(error.code), `req_${systemRandom.uuid()}`, docsUrl);
  const head = [
    `HTTP/1.1 ${status} ${status === 413 ? 'Payload Too Large' : 'Bad Request'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function failureOf(code: string | undefined): Failure {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Failure('PAYLOAD_TOO_LARGE', { message: 'The headers of the request are larger than 16 KiB.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('VALIDATION_ERROR', { message: 'The request did not arrive in time.' });
    default:
      return new Failure('VALIDATION_ERROR', { message: 'The request is not well-formed HTTP/1.1.' });
  }
}
