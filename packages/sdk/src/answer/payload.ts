import { isFields, isList } from '@broadsheet/contract/kinds';
import type { Target } from '../calls/task.ts';
import { VALIDATORS } from '../generated/resources.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Incoming, Payload } from './incoming.ts';

/**
 * Reads a response: the payload of a success in either of its forms (api.md 4.1 and 4.8). For any other response it
 * returns a promise, since the modules that report or explain it are loaded on demand.
 */
export function readPayload(exchange: Exchange, response: Incoming): Payload | Promise<Payload> {
  const { id, endpoint } = exchange;
  const { status, text } = response;
  const ok = status >= 200 && status < 300;
  // `blog.request()` may call something that responds without a body.
  if (id === 'request' && text === '' && ok) return { data: undefined, meta: undefined };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    return fail(exchange, response, body, cause);
  }
  if (!ok || (isFields(body) && body['success'] === false)) return fail(exchange, response, body);
  const payload = endpoint.form === 'bare' ? { data: body, meta: undefined } : unwrap(body, endpoint);
  return isAsPromised(exchange, payload) ? payload : compare(exchange, response, payload);
}

function unwrap(body: unknown, { pagination }: Target): Payload {
  if (!isFields(body)) return { data: body, meta: undefined };
  if (body['success'] === true) return { data: body['data'], meta: body['meta'] };
  if (pagination !== 'page' || !('posts' in body)) return { data: body, meta: undefined };
  const { posts, page, pageSize, total, totalPages } = body;
  const hasNextPage = Number(page) < Number(totalPages);
  const hasPrevPage = Number(page) > 1;
  return { data: posts, meta: { pagination: { page, pageSize, total, totalPages, hasNextPage, hasPrevPage } } };
}

async function fail(exchange: Exchange, response: Incoming, body: unknown, cause?: unknown): Promise<never> {
  const { failedAnswer } = await loadOnDemand();
  const text = exchange.settings.redact(response.text);
  // The message of the runtime quotes a part of the text, which may contain half of a key.
  const why = text === response.text ? cause : cause && new SyntaxError('not valid JSON');
  throw failedAnswer(exchange, { ...response, text }, body, why);
}

/** Whether a payload matches the contract, as far as `validate` requires it. */
function isAsPromised({ id, endpoint, options }: Exchange, { data, meta }: Payload): boolean {
  if (id === 'request') return true;
  if (options.validate !== 'off')
    return VALIDATORS[id](data) && (endpoint.pagination !== 'page' || VALIDATORS.meta(meta));
  if (/list$|posts$|Batch$/.test(id)) return isList(data, isFields);
  return isFields(data) && (id !== 'search' || isList(data['data'], isFields));
}

/** Reports how a payload differs from the contract. A payload of a completely different type always throws. */
async function compare(exchange: Exchange, response: Incoming, payload: Payload): Promise<Payload> {
  const { reportDrift } = await loadOnDemand();
  reportDrift(exchange, response, payload);
  return payload;
}
