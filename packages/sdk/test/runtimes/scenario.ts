import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { QueryClient } from '@tanstack/query-core';
import ky from 'ky';
import { Webhook } from 'standardwebhooks';
import {
  type Blog,
  type CallOptions,
  type ClientOptions,
  createClient,
  isBroadsheetError,
  type Middleware,
} from '../../src/index.ts';
import { kyFetch } from '../../src/ky/index.ts';
import { tracing } from '../../src/otel/index.ts';
import { blogQueries } from '../../src/query/index.ts';
import { unwrap, WebhookError } from '../../src/webhooks/index.ts';

/** The outcome of each case: the code and phase of its error, or its result. */
export type Report = Readonly<Record<string, string>>;

/** A key that a search for leaks can find. */
export const KEY = 'bsk_SECRET';

type Fetch = NonNullable<CallOptions['fetch']>;

/** The transports of the requests, all of which must give the same results. */
const carriers: Readonly<Record<string, Fetch>> = { fetch: (url, init) => fetch(url, init), ky: kyFetch(ky) };

/** Options of a call that is aborted after it has been sent, or after the head of its response has arrived. */
function abortedAfter(moment: 'request' | 'head', send: Fetch): CallOptions {
  const controller = new AbortController();
  const abort = (): void => void setTimeout(() => controller.abort('enough'), 50);
  return {
    signal: controller.signal,
    async fetch(url, init) {
      if (moment === 'request') abort();
      const response = await send(url, init);
      if (moment === 'head') abort();
      return response;
    },
  };
}

const titled: Middleware = (request, next) => {
  request.headers.set('x-title', `try ${request.attempt}`);
  return next();
};

const spans = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

/**
 * Whether the server received the trace of a span that has ended: the title of its response is the header that it
 * received.
 */
function isTraced(header: string): boolean {
  const [, trace, span] = header.split('-');
  return spans.getFinishedSpans().some((one) => {
    const { traceId, spanId } = one.spanContext();
    return traceId === trace && spanId === span;
  });
}

/** The entries that a log receives while `use` runs. */
async function logged(blog: Blog, use: (blog: Blog) => PromiseLike<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => void lines.push(message, JSON.stringify(fields));
  await use(blog.with({ logger: { debug: write, warn: write, error: write } }));
  return lines;
}

const rejects = async (): Promise<never> => {
  throw new Error('the log is full');
};

const SECRET = `whsec_${btoa('a secret of 24 bytes or more')}`;

/**
 * The results for requests that an independent library has signed: valid, changed, old, and signed with a former
 * secret.
 */
async function unwrapped(): Promise<string[]> {
  const body = JSON.stringify({ type: 'post.published', timestamp: '', data: { id: 'ü', slug: 's', tags: ['posts'] } });
  const codeOf = async (sent: string, minutes = 0, secrets = [SECRET]) => {
    const at = new Date(Date.now() - minutes * 60_000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('msg_1', at, body),
    };
    const request = new Request('https://site.example/hook', { method: 'POST', headers, body: sent });
    return unwrap(request, secrets).then(
      ({ type }) => type,
      (error) => (error instanceof WebhookError ? error.code : `raw ${error}`),
    );
  };
  const former = `whsec_${btoa('another secret of 24 bytes')}`;
  return [
    await codeOf(body),
    await codeOf(body, 0, [former, SECRET]),
    await codeOf(body, 0, [former]),
    await codeOf(`${body} `),
    await codeOf(body, 6),
    await codeOf('x'.repeat(300_000)),
  ];
}

/** Each is run against the part of the server with its name. Nothing in here belongs to one runtime. */
const cases: Readonly<Record<string, readonly [(blog: Blog, send: Fetch) => PromiseLike<unknown>, ClientOptions?]>> = {
  // These come first, because they wait.
  silent: [(blog) => blog.posts.get('1'), { timeout: 500 }],
  stall: [(blog) => blog.posts.get('1'), { timeout: 3000 }],
  one: [async (blog) => (await blog.posts.get('1')).id],
  meta: [async (blog) => (await blog.posts.get('1').withMeta()).requestId],
  list: [async (blog) => (await blog.posts.list({ limit: 2 }).collect()).map(({ id }) => id)],
  cloned: [async (blog) => structuredClone(await blog.posts.list({ limit: 2 })).cursor],
  flaky: [async (blog) => (await blog.posts.get('1')).id, { retry: { limit: 2, baseDelay: 1 } }],
  click: [async (blog) => (await blog.ads.click('token')).status],
  visitor: [
    async (blog) => {
      const ad = await blog.ads.deliver('BANNER', { visitor: { origin: 'https://visitor.example' } });
      return ad.filled && ad.title;
    },
  ],
  moved: [async (blog) => (await blog.posts.get('1')).id],
  cached: [async (blog) => (await blog.posts.get('1')).id, { fetchOptions: { cache: 'force-cache' } }],
  middleware: [async (blog) => (await blog.posts.get('1')).title, { middleware: [titled] }],
  request: [async (blog) => (await blog.request<{ id: string }>('GET', '/anything')).id],
  with: [async (blog) => (await blog.with({ middleware: [titled] }).posts.get('1')).title],
  logger: [
    async (blog) => {
      const lines = await logged(blog, (one) => one.posts.get('1'));
      return lines.some((line) => line.includes(KEY)) ? 'the key' : lines.filter((line) => /^\w+ 1:/.test(line)).length;
    },
  ],
  hook: [async (blog) => (await blog.posts.get('1')).id, { onEvent: rejects }],
  query: [
    async (blog) => {
      const client = new QueryClient();
      const found = await client.fetchQuery(blogQueries(blog).posts.list({ limit: 2 }));
      client.clear();
      return found.items.map(({ id }) => id);
    },
  ],
  otel: [async (blog) => isTraced((await blog.posts.get('1')).title), { middleware: [tracing()] }],
  webhook: [unwrapped],
  nulls: [(blog) => blog.posts.list()],
  unauthorized: [(blog) => blog.posts.get('1')],
  cut: [(blog) => blog.posts.get('1')],
  html: [(blog) => blog.posts.get('1')],
  broken: [(blog) => blog.posts.get('1')],
  mismatch: [(blog) => blog.posts.get('1'), { validate: 'strict' }],
  large: [(blog) => blog.posts.get('1'), { maxBodyBytes: 10 }],
  loop: [(blog) => blog.posts.get('1')],
  redirect: [(blog) => blog.posts.get('1')],
  refused: [(blog) => blog.posts.get('1'), { baseUrl: 'http://127.0.0.1:1' }],
  nowhere: [(blog) => blog.posts.get('1'), { baseUrl: 'https://nowhere.invalid' }],
  'abort-connect': [(blog, send) => blog.posts.get('1', abortedAfter('request', send))],
  'abort-body': [(blog, send) => blog.posts.get('1', abortedAfter('head', send))],
};

/** Runs the cases against the server at `url`, once with each carrier. */
export async function run(url: string): Promise<Report> {
  const outcomes = Object.entries(carriers).flatMap(([carrier, send]) =>
    Object.entries(cases).map(async ([name, [use, options]]) => {
      const blog = createClient({
        baseUrl: `${url}/${name}/${carrier}`,
        apiKey: KEY,
        browser: true,
        timeout: 20_000,
        retry: 0,
        fetch: send,
        ...options,
      });
      return [`${name} by ${carrier}`, await use(blog, send).then((given) => `gave ${given}`, failureOf)];
    }),
  );
  return Object.fromEntries(await Promise.all(outcomes));
}

function failureOf(error: unknown): string {
  if (!isBroadsheetError(error)) return `raw ${error}`;
  const { message, stack, cause, code, phase, name } = error;
  const seen = [message, stack, String(cause), JSON.stringify(cause), JSON.stringify(error)].join(' ');
  return seen.includes(KEY) ? `the key, in ${seen}` : `${name} ${code} in ${phase}`;
}
