import type { Failure } from '../errors/failure.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Drift } from './drift.ts';
import { explain, type Shape } from './explain.ts';
import type { Incoming, Payload } from './incoming.ts';
import { excerpt, quoted } from './words.ts';

/**
 * Reports in what each value differs from its shape; in strict mode, and for a payload of another kind altogether, gives
 * the failure that it is.
 */
export function reportDrift(
  { id: endpoint, endpoint: target, options, settings, url }: Exchange,
  { status, headers, text }: Incoming,
  { data, meta }: Payload,
  report: (drift: Drift, words: string) => void,
): Failure | undefined {
  if (endpoint === 'request') return undefined;
  const { reported, redact } = settings;
  const id = headers.get('x-request-id');
  const mismatches =
    options.validate === 'off'
      ? explain(kindOf(SHAPES[endpoint], endpoint), data)
      : [
          ...explain(SHAPES[endpoint], data),
          ...(target.pagination === 'page' ? explain(SHAPES.meta, meta, ['meta']) : []),
        ];
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of mismatches) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item that is no object: code that reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (options.validate === 'strict' || unusable) {
      const words = quoted(JSON.parse(text), redact);
      const message = `${sentence(drift, steps.join('.'))}${words && `; the answer says ${words}`}. (${url})`;
      const body = excerpt(text, redact);
      const facts = { code: 'RESPONSE_MISMATCH', phase: 'parse', endpoint, status, requestId, body } as const;
      return { kind: 'ResponseError', message, facts };
    }
    const kind = `${endpoint} ${path} ${expected} ${received}`;
    if (reported.has(kind)) continue;
    reported.add(kind);
    report(drift, `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`);
  }
  return undefined;
}

/** All that is required when no field is compared: a list of objects, or an object. */
function kindOf(shape: Shape, endpoint: string): Shape {
  if (endpoint === 'search') return { data: [{}] };
  return Array.isArray(shape) ? [{}] : {};
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
