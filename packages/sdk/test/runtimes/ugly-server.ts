import { type Handler, listen } from '../support/listen.ts';
import { envelope, json } from '../support/responses.ts';
import { sampleAd, samplePost, samplePosts } from '../support/samples.ts';
import type { Report } from './scenario.ts';

const post = { success: true, data: samplePost('1') };

/** A post whose title is the received header. */
const titled =
  (header: string): Handler =>
  ({ headers }, response) =>
    json(response, 200, { ...post, data: { ...post.data, title: headers[header] } });

/** The expected results of the cases of the scenario, with any transport. */
const EACH: Report = {
  one: 'gave 1',
  meta: 'gave req_1',
  list: 'gave 0,1,2',
  cloned: 'gave 2 2 posts.list',
  flaky: 'gave 1',
  click: 'gave ok',
  visitor: 'gave https://visitor.example',
  moved: 'gave 1',
  cached: 'gave 1',
  middleware: 'gave try 1',
  request: 'gave 1',
  with: 'gave try 1',
  logger: 'gave 2',
  hook: 'gave 1',
  query: 'gave 0,1',
  otel: 'gave true',
  webhook:
    'gave post.published,post.published,SIGNATURE_INVALID,SIGNATURE_INVALID,TIMESTAMP_OUT_OF_RANGE,BODY_TOO_LARGE',
  nulls: 'ResponseError RESPONSE_MISMATCH in parse',
  unauthorized: 'AuthenticationError UNAUTHORIZED in response',
  silent: 'TimeoutError TIMEOUT in connect',
  stall: 'TimeoutError TIMEOUT in body',
  cut: 'ResponseError RESPONSE_CUT in body',
  html: 'ResponseError RESPONSE_NOT_JSON in parse',
  broken: 'ResponseError RESPONSE_INVALID_JSON in parse',
  mismatch: 'ResponseError RESPONSE_MISMATCH in parse',
  large: 'ResponseError RESPONSE_TOO_LARGE in body',
  loop: 'RedirectError REDIRECT_REFUSED in response',
  redirect: 'RedirectError REDIRECT_REFUSED in response',
  refused: 'NetworkError NETWORK_ERROR in connect',
  nowhere: 'NetworkError NETWORK_ERROR in connect',
  'abort-connect': 'AbortError ABORTED in connect',
  'abort-body': 'AbortError ABORTED in body',
};

/** The report in every runtime, with the differences of some. */
export const expected = (differing: Report = {}): Report =>
  Object.fromEntries(
    Object.entries({ ...EACH, ...differing }).flatMap(([name, outcome]) =>
      ['fetch', 'ky'].map((carrier) => [`${name} by ${carrier}`, outcome]),
    ),
  );

/** A server that fails in every way of the scenario. */
export interface UglyServer {
  readonly url: string;
  /** Requests to the origin it redirects to; with the key, each would be a leak. */
  leaks(): number;
  close(): void;
}

export async function uglyServer(): Promise<UglyServer> {
  const other = await listen((_, response) => json(response, 200, post, { 'access-control-allow-origin': '*' }));
  const tries = new Map<string, number>();
  const began = { 'content-type': 'application/json' };
  const handlers: Readonly<Record<string, Handler>> = {
    list: ({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const from = Number(query.get('offset'));
      json(response, 200, { success: true, data: samplePosts(0, 3).slice(from, from + Number(query.get('limit'))) });
    },
    cloned: (_, response) => json(response, 200, { success: true, data: samplePosts(0, 2) }),
    flaky: ({ url }, response) => {
      const nth = tries.get(url) ?? 0;
      tries.set(url, nth + 1);
      if (nth % 2 === 0) json(response, 503, envelope(503, 'UNAVAILABLE'));
      else json(response, 200, post);
    },
    click: (_, response) => json(response, 200, { status: 'ok' }),
    visitor: ({ headers }, response) => json(response, 200, { ...sampleAd(), title: headers.origin ?? 'nobody' }),
    moved: ({ url }, response) => {
      if (url.endsWith('/there')) json(response, 200, post);
      else response.writeHead(308, { location: '/moved/there' }).end();
    },
    middleware: titled('x-title'),
    with: titled('x-title'),
    otel: titled('traceparent'),
    query: (_, response) => json(response, 200, { success: true, data: samplePosts(0, 2) }),
    nulls: (_, response) => json(response, 200, { success: true, data: [null] }),
    loop: ({ url }, response) => void response.writeHead(302, { location: url }).end(),
    unauthorized: (_, response) => json(response, 401, envelope(401, 'UNAUTHORIZED')),
    silent: () => {},
    stall: (_, response) => void response.writeHead(200, began).write('{"success":true,'),
    cut: (_, response) => {
      response.writeHead(200, { ...began, 'content-length': '1000' }).write('{"success":true,');
      setTimeout(() => response.destroy(), 50);
    },
    html: (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    broken: (_, response) => void response.writeHead(200, began).end('{"success":true,"data"'),
    mismatch: (_, response) => json(response, 200, { success: true, data: { ...post.data, title: 7 } }),
    redirect: (_, response) => void response.writeHead(302, { location: `${other.url}/` }).end(),
    'abort-connect': () => {},
    'abort-body': (_, response) => void response.writeHead(200, began).write('{"success":true,'),
    '': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title>'),
  };
  const plain: Handler = (_, response) => json(response, 200, post);
  const main = await listen((request, response, nth) =>
    (handlers[request.url.split('/')[1] ?? ''] ?? plain)(request, response, nth),
  );
  return {
    url: main.url,
    leaks: () => other.seen.length,
    close() {
      main.close();
      other.close();
    },
  };
}
