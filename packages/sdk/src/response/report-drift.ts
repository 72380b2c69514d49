import { callHook } from '../calls/call-hook.ts';
import type { Outgoing } from '../calls/outgoing.ts';
import { ResponseError } from '../errors/error-kinds.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { Drift } from '../options.ts';
import { explain } from './explain.ts';
import { excerpt, quoted } from './failed-response.ts';
import type { Incoming, Payload } from './incoming.ts';

/**
 * Reports how a payload differs from its shape, once for each kind of difference.
 *
 * @throws ResponseError in strict mode, and for a payload of a completely different type.
 */
export function reportDrift(outgoing: Outgoing, { status, headers, text }: Incoming, { data, meta }: Payload): void {
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
    // The list itself, or an item, is not an object: code that reads it would fail.
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
