/**
 * Spans of OpenTelemetry for the requests of the client.
 *
 * @module
 */
import { ENDPOINTS } from '@broadsheet/contract';
import type { Middleware } from '@broadsheet/sdk';
import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

/** Options of {@link tracing}. */
export interface TracingOptions {
  /** Default: `@broadsheet/sdk` of the global provider. */
  readonly tracer?: Tracer | undefined;
  /**
   * Whether the trace continues at the server, by the headers of the global propagator, such as `traceparent`. Default:
   * everywhere but from a page to another origin, where CORS must first allow these headers.
   */
  readonly propagate?: boolean | undefined;
}

/**
 * Makes a middleware that gives each attempt a span that follows OpenTelemetry's conventions for HTTP clients: `GET
 * /public/posts/{id}`, `http.request.method`, `url.full`, `server.address`, `http.response.status_code`, `error.type`,
 * `http.request.resend_count`. Pauses, parsing and validation are not part of it.
 *
 * @example
 * ```ts
 * const blog = createClient({ middleware: [tracing()] });
 * ```
 */
export function tracing({ tracer, propagate }: TracingOptions = {}): Middleware {
  return async function traced({ endpoint, method, url, attempt, headers }, next) {
    const { hostname, origin, port, protocol } = new URL(url);
    const { location = { origin } } = globalThis as { readonly location?: { readonly origin: string } };
    const template = endpoint === 'request' ? undefined : ENDPOINTS[endpoint].path;
    const span = (tracer ?? trace.getTracer('@broadsheet/sdk')).startSpan(template ? `${method} ${template}` : method, {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': method,
        'url.full': url,
        ...(template && { 'url.template': template }),
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      },
    });
    const active = trace.setSpan(context.active(), span);
    if (propagate ?? location.origin === origin)
      propagation.inject(active, headers, { set: (carrier, name, value) => carrier.set(name, value) });
    const fail = (type: string, message?: string): void => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message && { message }) });
    };
    try {
      const response = await context.with(active, next);
      span.setAttribute('http.response.status_code', response.status);
      if (response.status >= 400) fail(String(response.status));
      return response;
    } catch (error) {
      const { code, name, message } = error as { readonly code?: string } & Error;
      span.recordException(error as Error);
      fail(code ?? name, message);
      throw error;
    } finally {
      span.end();
    }
  };
}
