import { isFields } from '@broadsheet/contract/kinds';
import { callHook } from '../calls/call-hook.ts';
import type { CallTarget, Outgoing } from '../calls/outgoing.ts';
import { ResponseError } from '../errors/error-kinds.ts';
import { SHAPES } from '../generated/shapes.ts';
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
export function readOther(outgoing: Outgoing, response: Incoming): Payload {
  const { id, endpoint, settings } = outgoing;
  const { status, text } = response;
  const ok = status >= 200 && status < 300;
  // `blog.request()` may call something that responds without a body.
  if (id === 'request' && text === '' && ok) return {};
  let body: unknown;
  let cause: unknown;
  try {
    body = JSON.parse(text);
  } catch (thrown) {
    cause = thrown;
  }
  if (!ok || cause || (isFields(body) && body['success'] === false)) {
    const redacted = settings.redact(text);
    // The message of the runtime quotes part of the text, which may contain half of a key.
    const why = redacted === text ? cause : cause && new SyntaxError('not valid JSON');
    throw responseError(outgoing, { ...response, text: redacted }, body, why);
  }
  const payload = endpoint.form === 'bare' ? { data: body } : unwrap(body, endpoint);
  reportDrift(outgoing, response, payload);
  return payload;
}

function unwrap(body: unknown, { pagination }: CallTarget): Payload {
  if (!isFields(body)) return { data: body };
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
function reportDrift(outgoing: Outgoing, { status, headers, text }: Incoming, { data, meta }: Payload): void {
  const { endpoint: target, id: endpoint, options, settings, url } = outgoing;
  const { logger, onDrift, validate } = options;
  const { reported, redact } = settings;
  if (endpoint === 'request') return;
  const inMeta = target.pagination === 'page' ? explain(SHAPES.meta, meta, ['meta']) : [];
  const id = headers.get('x-request-id');
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of [...explain(SHAPES[endpoint], data), ...inMeta]) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item, is not an object, so code that reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (validate === 'strict' || unusable) {
      const quote = quoted(JSON.parse(text), redact);
      const message = `${sentence(drift, steps.join('.'))}${quote && `; the response says ${quote}`}. (${url})`;
      const body = excerpt(text, redact);
      const facts = { code: 'RESPONSE_MISMATCH', phase: 'parse', endpoint, status, requestId, body } as const;
      throw new ResponseError(message, facts);
    }
    const kind = `${endpoint} ${path} ${expected} ${received}`;
    if (validate === 'off' || reported.has(kind)) continue;
    reported.add(kind);
    const message = `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`;
    if (onDrift) callHook('onDrift', onDrift, drift);
    else if (logger) callHook('logger', (one) => logger.warn(one, message), drift);
    else console.warn(message);
  }
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
