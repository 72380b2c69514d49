import { callHook } from '../calls/report-event.ts';
import { ResponseError } from '../errors/error-kinds.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { CallOptions, Drift } from '../options.ts';
import type { Exchange } from '../request/exchange.ts';
import { explain, type Mismatch, type Shape } from './explain.ts';
import type { Incoming, Payload } from './incoming.ts';
import { excerpt, quoted } from './words.ts';

/**
 * Reports how a payload differs from its shape, once for each kind of difference.
 *
 * @throws ResponseError in strict mode, and for a payload of a completely different type.
 */
export function reportDrift(exchange: Exchange, { status, headers, text }: Incoming, payload: Payload): void {
  const { id: endpoint, options, settings, url } = exchange;
  const { reported, redact } = settings;
  const id = headers.get('x-request-id');
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of mismatchesOf(exchange, payload)) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item, is not an object: code that reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (options.validate === 'strict' || unusable) {
      const words = quoted(JSON.parse(text), redact);
      const message = `${sentence(drift, steps.join('.'))}${words && `; the response says ${words}`}. (${url})`;
      const body = excerpt(text, redact);
      const facts = { code: 'RESPONSE_MISMATCH', phase: 'parse', endpoint, status, requestId, body } as const;
      throw new ResponseError(message, facts);
    }
    const kind = `${endpoint} ${path} ${expected} ${received}`;
    if (reported.has(kind)) continue;
    reported.add(kind);
    report(options, drift, `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`);
  }
}

function mismatchesOf({ id, endpoint, options }: Exchange, { data, meta }: Payload): readonly Mismatch[] {
  if (id === 'request') return [];
  if (options.validate === 'off') return explain(kindOf(SHAPES[id], id), data);
  const inData = explain(SHAPES[id], data);
  return endpoint.pagination === 'page' ? [...inData, ...explain(SHAPES.meta, meta, ['meta'])] : inData;
}

function report({ onDrift, logger }: CallOptions, drift: Drift, words: string): void {
  if (onDrift) callHook('onDrift', onDrift, drift);
  else if (logger) callHook('logger', (one) => logger.warn(one, words), drift);
  else console.warn(words);
}

/** What is still required when no field is compared: a list of objects, or an object. */
function kindOf(shape: Shape, endpoint: string): Shape {
  if (endpoint === 'search') return { data: [{}] };
  return Array.isArray(shape) ? [{}] : {};
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
