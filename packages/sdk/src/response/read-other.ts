import { isFields } from '@broadsheet/contract/kinds';
import type { CallTarget, Outgoing } from '../calls/outgoing.ts';
import { failedResponse } from './failed-response.ts';
import type { Incoming, Payload } from './incoming.ts';
import { reportDrift } from './report-drift.ts';

/**
 * Reads a response that is not a payload as the contract describes it: one of `blog.request()`, one in the other form of a
 * list (api.md 4.8), or one with other fields, which is reported.
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
    // The message of the runtime quotes a part of the text, which may contain half of a key.
    const why = redacted === text ? cause : cause && new SyntaxError('not valid JSON');
    throw failedResponse(outgoing, { ...response, text: redacted }, body, why);
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
