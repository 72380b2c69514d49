import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { client, failureOf } from '../../test/support/client.ts';
import { closedPort } from '../../test/support/closed-port.ts';
import { envelope, json } from '../../test/support/responses.ts';
import { samplePost } from '../../test/support/samples.ts';
import { serve } from '../../test/support/serve.ts';
import { tracing } from './index.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

beforeEach(() => exporter.reset());

afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  propagation.disable();
  context.disable();
});

const post = { success: true, data: samplePost('1') };

test('each attempt has a span that follows the HTTP conventions, in the trace of the caller and of the server', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0 ? json(response, 503, envelope(503, 'UNAVAILABLE')) : json(response, 200, post),
  );
  const blog = client(server.url, { middleware: [tracing()] });
  const outer = trace.getTracer('test').startSpan('page');
  await context.with(trace.setSpan(context.active(), outer), () => blog.posts.get('1'));
  outer.end();
  const [first, second] = exporter.getFinishedSpans();
  const { port } = new URL(server.url);
  const common = {
    'http.request.method': 'GET',
    'url.full': `${server.url}/public/posts/1`,
    'url.template': '/public/posts/{id}',
    'server.address': '127.0.0.1',
    'server.port': Number(port),
  };
  expect(first).toMatchObject({
    name: 'GET /public/posts/{id}',
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.ERROR },
    parentSpanContext: { spanId: outer.spanContext().spanId },
  });
  expect(first?.attributes).toEqual({ ...common, 'http.response.status_code': 503, 'error.type': '503' });
  expect(second?.attributes).toEqual({ ...common, 'http.response.status_code': 200, 'http.request.resend_count': 1 });
  expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
  const sent = server.seen.map(({ headers }) => headers['traceparent']);
  expect(sent).toEqual(
    [first, second].map((span) => `00-${outer.spanContext().traceId}-${span?.spanContext().spanId}-01`),
  );
});

test('a network failure is recorded on the span, with its code', async () => {
  const middleware = [tracing({ propagate: false })];
  await failureOf(client(await closedPort(), { middleware, retry: 0 }).request('GET', '/anything'));
  const [span] = exporter.getFinishedSpans();
  expect(span).toMatchObject({ name: 'GET', status: { code: SpanStatusCode.ERROR }, events: [{ name: 'exception' }] });
  expect(span?.attributes).toMatchObject({ 'error.type': 'NETWORK_ERROR' });
  expect(span?.attributes).not.toHaveProperty('url.template');
});

test('the port is the one in the URL, or the default of its protocol', async () => {
  const fetch = async (): Promise<Response> => Response.json(post);
  for (const url of ['https://blog.example', 'http://localhost', 'https://blog.example:8443'])
    await client(url, { fetch, middleware: [tracing()] }).posts.get('1');
  const places = exporter
    .getFinishedSpans()
    .map(({ attributes }) => [attributes['server.address'], attributes['server.port']]);
  expect(places).toEqual([
    ['blog.example', 443],
    ['localhost', 80],
    ['blog.example', 8443],
  ]);
});

test('a status of 400 or above is a failure whose error type is the status', async () => {
  const fetch = async (): Promise<Response> => new Response('{}', { status: 400 });
  await failureOf(client('https://blog.example', { fetch, middleware: [tracing()] }).posts.get('1'));
  const [span] = exporter.getFinishedSpans();
  expect(span?.attributes).toMatchObject({ 'error.type': '400', 'http.response.status_code': 400 });
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
});

test('the span records the name and message of an error of another middleware', async () => {
  const broken = (): never => {
    throw new RangeError('too far');
  };
  await failureOf(client('https://blog.example', { middleware: [tracing(), broken] }).posts.get('1'));
  const [span] = exporter.getFinishedSpans();
  expect(span?.attributes).toMatchObject({ 'error.type': 'RangeError' });
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'too far' });
});

test('`tracer` replaces the tracer, and `propagate: false` sends no headers', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const own = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(own)] }).getTracer('own');
  await client(server.url, { middleware: [tracing({ tracer, propagate: false })] }).posts.get('1');
  expect(own.getFinishedSpans()).toHaveLength(1);
  expect(exporter.getFinishedSpans()).toEqual([]);
  expect(server.seen[0]?.headers).not.toHaveProperty('traceparent');
});

test('by default the tracer is named after the package', async () => {
  const fetch = async (): Promise<Response> => Response.json(post);
  await client('https://blog.example', { fetch, middleware: [tracing()] }).posts.get('1');
  expect(exporter.getFinishedSpans()[0]?.instrumentationScope.name).toBe('@broadsheet/sdk');
});
