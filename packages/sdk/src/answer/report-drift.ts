import { callHook } from '../calls/call-hook.ts';
import type { Outgoing } from '../calls/outgoing.ts';
import { ResponseError } from '../errors/error-kinds.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { CallOptions, Drift } from '../options.ts';
import { explain, type Mismatch } from './explain.ts';
import { excerpt, quoted } from './failed-answer.ts';
import type { Incoming, Payload } from './incoming.ts';

/**
 * Reports how a payload differs from its shape, once for each kind of difference.
 *
 * @throws ResponseError in strict mode, and for a payload of a completely different type.
 */
export function reportDrift(outgoing: Outgoing, { status, headers, text }: Incoming, payload: Payload): void {
  const { id: endpoint, options, settings, url } = outgoing;
  const { reported, redact } = settings;
  const id = headers.get('x-request-id');
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of mismatchesOf(outgoing, payload)) {
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
    if (options.validate === 'off' || reported.has(kind)) continue;
    reported.add(kind);
    report(options, drift, `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`);
  }
}

function mismatchesOf({ id, endpoint }: Outgoing, { data, meta }: Payload): readonly Mismatch[] {
  if (id === 'request') return [];
  const inData = explain(SHAPES[id], data);
  return endpoint.pagination === 'page' ? [...inData, ...explain(SHAPES.meta, meta, ['meta'])] : inData;
}

function report({ onDrift, logger }: CallOptions, drift: Drift, words: string): void {
  if (onDrift) callHook('onDrift', onDrift, drift);
  else if (logger) callHook('logger', (one) => logger.warn(one, words), drift);
  else console.warn(words);
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
