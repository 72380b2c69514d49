import type { CallTarget, Outgoing } from '../calls/outgoing.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { Core } from '../on-demand-core.ts';
import type { Drift } from '../options.ts';
import { explain } from './explain.ts';
import type { Incoming, Payload } from './incoming.ts';
import { excerpt, quoted, responseError } from './response-error.ts';

/**
 * Reads a response that is not a payload as the contract describes it: the response to `blog.request()`, a list in its
 * other form (api.md 4.8), or a payload with other fields, which is reported.
 *
 * @throws The error for a response that is a failure, or not one of the API.
 */
export function readOther(core: Core, outgoing: Outgoing, response: Incoming): Payload {
  const error = responseError(core, outgoing, response);
  if (error) throw error;
  // `blog.request()` may call something that responds without a body.
  if (response.text === '') return {};
  const body: unknown = JSON.parse(response.text);
  const { endpoint } = outgoing;
  const payload = endpoint.form === 'bare' ? { data: body } : unwrap(core, body, endpoint);
  reportDrift(core, outgoing, response, payload);
  return payload;
}

function unwrap({ kinds }: Core, body: unknown, { pagination }: CallTarget): Payload {
  if (!kinds.isFields(body)) return { data: body };
  if (body['success'] === true) return body;
  if (pagination !== 'page' || !('posts' in body)) return { data: body };
  const { posts, page, pageSize, total, totalPages } = body;
  const hasNextPage = Number(page) < Number(totalPages);
  const hasPrevPage = Number(page) > 1;
  return { data: posts, meta: { pagination: { page, pageSize, total, totalPages, hasNextPage, hasPrevPage } } };
}

/**
 * Reports how a payload differs from its shape, once for each kind of difference.
 *
 * @throws ResponseError in strict mode, and for a payload of a completely different type.
 */
function reportDrift(
  core: Core,
  outgoing: Outgoing,
  { status, headers, text }: Incoming,
  { data, meta }: Payload,
): void {
  const { endpoint: target, id: endpoint, options, settings, url } = outgoing;
  const { logger, onDrift, validate } = options;
  const { reported, redact } = settings;
  if (endpoint === 'request') return;
  const inMeta = target.pagination === 'page' ? explain(core.kinds, SHAPES.meta, meta, ['meta']) : [];
  const id = headers.get('x-request-id');
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of [...explain(core.kinds, SHAPES[endpoint], data), ...inMeta]) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item, is not an object, so code that reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (validate === 'strict' || unusable) {
      const quote = quoted(JSON.parse(text), redact);
      const message = `${sentence(drift, steps.join('.'))}${quote && `; the response says ${quote}`}. (${url})`;
      const body = excerpt(text, redact);
      const facts = { code: 'RESPONSE_MISMATCH', phase: 'parse', endpoint, status, requestId, body } as const;
      throw new core.ResponseError(message, facts);
    }
    const kind = `${endpoint} ${path} ${expected} ${received}`;
    if (validate === 'off' || reported.has(kind)) continue;
    reported.add(kind);
    const message = `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`;
    if (onDrift) core.callHook('onDrift', onDrift, drift);
    else if (logger) core.callHook('logger', (one) => logger.warn(one, message), drift);
    else core.callHook('console', console.warn, message);
  }
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
