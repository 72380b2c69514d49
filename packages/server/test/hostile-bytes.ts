import { once } from 'node:events';
import { connect } from 'node:net';

const COMMON = 'Host: news.example\r\nX-API-Key: test-key\r\n';
const CLICK = '{"clickToken":"a.b.c"}';
const BATCH = '{"slots":[{"slotId":"a","format":"BANNER"}]}';
const REQUESTS = [
  `GET /public/posts?limit=2&offset=1 HTTP/1.1\r\n${COMMON}If-None-Match: "x"\r\n\r\n`,
  `GET /public/search?q=hello%20world HTTP/1.0\r\n${COMMON}\r\n`,
  `HEAD /public/posts/p1 HTTP/1.1\r\n${COMMON}Expect: 100-continue\r\n\r\n`,
  `OPTIONS /public/ads/formats HTTP/1.1\r\n${COMMON}Origin: https://news.example\r\n\r\n`,
  `GET /docs HTTP/1.1\r\n${COMMON}Accept-Encoding: gzip\r\n\r\nGET /healthz HTTP/1.1\r\n${COMMON}\r\n`,
  `POST /public/ads/tracking/click HTTP/1.1\r\n${COMMON}Content-Type: application/json\r\nContent-Length: ${CLICK.length}\r\n\r\n${CLICK}`,
  `POST /public/ads/formats HTTP/1.1\r\n${COMMON}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${BATCH.length.toString(16)}\r\n${BATCH}\r\n0\r\n\r\n`,
];
const INSERTS = ['\r', '\n', '\r\n', '\0', '\u00ff', ':', ' ', '\t', '%', '99999999999', '-1', ',', '"', '\u007f', '/'];

/** A valid HTTP request with a few changed bytes, as Latin-1 text. */
export function hostileBytes(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let bytes = pick(REQUESTS);
  for (let changes = Math.floor(random() * 4); changes >= 0; changes -= 1) {
    const at = Math.floor(random() * bytes.length);
    const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 3 * 40));
    const part = bytes.slice(at, end);
    const changed = pick([
      () => '',
      () => part + part,
      () => pick(INSERTS) + part,
      () => String.fromCharCode(Math.floor(random() * 256)) + part.slice(1),
      () => part.toUpperCase(),
    ])();
    bytes = bytes.slice(0, at) + changed + bytes.slice(end);
  }
  return bytes;
}

/** The beginning of a final response; informational responses before it have a status that begins with 1. */
const BEGINS = /(^|\r\n)HTTP\/1\.1 [2-5]/;

/**
 * Sends bytes on a new connection and reads until the server ends it. A server may treat the end of the input as a
 * disconnect, so this client ends its side only when a response has begun, or after `patience` milliseconds, when the
 * server is probably waiting for more.
 */
export async function sendBytes(url: string, bytes: string, patience: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const end = () => void socket.end();
  const timer = setTimeout(end, patience);
  let response = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    response += part;
    if (BEGINS.test(response)) end();
  });
  socket.write(bytes, 'latin1');
  try {
    await once(socket, 'end');
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  return response;
}
